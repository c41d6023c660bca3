// The files of the last visit, in the private storage of the browser.

/// The page keeps files up to these limits. More would take long to copy.
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
    // The storage has no files.
  }
}

/// Keeps files, each `{ name, blobs, isNamed }`, in place of the kept ones or with `isMore` beside them. Returns false if all
/// together exceed the limits. It writes the list last, so that the page never reads an incomplete copy.
export async function keep(files, inputs, isMore = false) {
  const before = isMore ? await kept() : undefined;
  const all = [...before?.files ?? [], ...files];
  const bytes = all.flatMap(({ blobs }) => blobs).reduce((sum, blob) => sum + blob.size, 0);
  if (!navigator.storage?.getDirectory || bytes > BYTES || all.length > FILES) return false;
  try {
    if (!before) await forget();
    const place = await folder(true);
    const list = before?.list ?? [];
    let number = list.flatMap(({ parts }) => parts).length;
    for (const { name, blobs, isNamed } of files) {
      const parts = [];
      for (const blob of blobs) {
        await write(place, String(number), blob);
        parts.push(number);
        number += 1;
      }
      list.push({ name, isNamed, parts });
    }
    await write(place, LIST, JSON.stringify({ inputs: [...new Set([...before?.inputs ?? [], ...inputs])], list }));
    return true;
  } catch {
    if (!before) await forget();
    return false;
  }
}

/// The kept files, their list and the names of their inputs, or undefined if there are none.
export async function kept() {
  try {
    const place = await folder(false);
    const read = async (name) => (await place.getFileHandle(name)).getFile();
    const { inputs, list } = JSON.parse(await (await read(LIST)).text());
    const files = [];
    for (const { name, isNamed, parts } of list) files.push({ name, isNamed, blobs: await Promise.all(parts.map((part) => read(String(part)))) });
    return { files, inputs, list };
  } catch {
    return undefined;
  }
}
