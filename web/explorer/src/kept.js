// The files of the last visit, in the private storage of the browser.

/// Bytes and files that are kept. More would take long to copy.
const BYTES = 500e6;
const FILES = 2000;

const FOLDER = "games";
const LIST = "list.json";

async function folder(create) {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create });
}

async function write(place, name, content) {
  const file = await (await place.getFileHandle(name, { create: true })).createWritable();
  await file.write(content);
  await file.close();
}

/// Forgets the files.
export async function forget() {
  try {
    await (await navigator.storage.getDirectory()).removeEntry(FOLDER, { recursive: true });
  } catch {
    // There are none.
  }
}

/// Keeps files, each `{ name, blobs, isNamed }`, unless they are too many. The list is written last, so that a copy that broke
/// off is never read.
export async function keep(files, inputs) {
  const bytes = files.flatMap(({ blobs }) => blobs).reduce((sum, blob) => sum + blob.size, 0);
  if (!navigator.storage?.getDirectory || bytes > BYTES || files.length > FILES) return false;
  try {
    await forget();
    const place = await folder(true);
    const list = [];
    let number = 0;
    for (const { name, blobs, isNamed } of files) {
      const parts = [];
      for (const blob of blobs) {
        await write(place, String(number), blob);
        parts.push(number);
        number += 1;
      }
      list.push({ name, isNamed, parts });
    }
    await write(place, LIST, JSON.stringify({ inputs, list }));
    return true;
  } catch {
    await forget();
    return false;
  }
}

/// The kept files and the names of their inputs; without any, undefined.
export async function kept() {
  try {
    const place = await folder(false);
    const read = async (name) => (await place.getFileHandle(name)).getFile();
    const { inputs, list } = JSON.parse(await (await read(LIST)).text());
    const files = [];
    for (const { name, isNamed, parts } of list) files.push({ name, isNamed, blobs: await Promise.all(parts.map((part) => read(String(part)))) });
    return { files, inputs };
  } catch {
    return undefined;
  }
}
