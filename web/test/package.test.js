// The package as a user finds it: entries, types, sizes, the examples of its page.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

import { root } from './support.js';

const web = join(root, 'web');

test('each entry has its names, and its types have the same', async () => {
  for (const entry of ['core', 'full', 'init']) {
    const names = Object.keys(await import(entry === 'core' ? 'sgfstream' : `sgfstream/${entry}`)).sort();
    const types = readFileSync(join(web, 'src', `${entry}.d.ts`), 'utf8');
    for (const name of names) assert.match(types, new RegExp(`\\b${name}\\b|export \\*`), `${entry}: ${name}`);
  }
});

test('the files of all entries, the guide and the examples are in the package', () => {
  const { exports: entries, files } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  const paths = Object.values(entries).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  for (const path of [...paths, './dist/picture.js', './dist/guide.md', './examples/board.html']) {
    assert.ok(existsSync(join(web, path)), path);
    assert.ok(path === './package.json' || files.includes(path.split('/')[1]), path);
  }
});

test('the smaller module never takes the place of the larger', async () => {
  const orders = [['sgfstream/full', 'sgfstream'], ['sgfstream', 'sgfstream/full']];
  for (const order of orders) {
    const imports = order.map((name, at) => `import * as m${at} from '${import.meta.resolve(name)}';`).join('\n');
    const source = `${imports}\nconst { check } = m${order.indexOf('sgfstream/full')};\nif (check('(;B[zz])').length === 0) throw new Error('no finding');`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source]);
    assert.equal(status, 0, stderr.toString());
  }
});

test('nothing but the entries for Node depends on Node', () => {
  for (const name of ['answers', 'board', 'core', 'core-web', 'events', 'full', 'full-web', 'init', 'layout', 'module', 'parse', 'serialize', 'values', 'words']) {
    const source = readFileSync(join(web, 'src', `${name}.js`), 'utf8');
    assert.doesNotMatch(source, /'node:|\brequire\b|\bBuffer\b|\bprocess\b/, name);
  }
});

test('the core module is at most 256 KiB as gzip', () => {
  const size = gzipSync(readFileSync(join(web, 'dist', 'core.wasm')), { level: 9 }).length;
  assert.ok(size <= 256 * 1024, `${size} bytes`);
});

test('a module is loaded by address, by bytes, and compiled', async () => {
  const { init, parse, check } = await import('sgfstream/init');
  const bytes = readFileSync(join(web, 'dist', 'core.wasm'));
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/core.wasm' ? 200 : 404, { 'content-type': 'application/octet-stream' });
    response.end(bytes);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const address = `http://127.0.0.1:${server.address().port}`;
    for (const source of [`${address}/core.wasm`, new URL(`${address}/core.wasm`), fetch(`${address}/core.wasm`), bytes, new WebAssembly.Module(bytes)]) {
      await init(source);
      assert.equal(parse('(;B[aa])')[0].data.B[0], 'aa');
      assert.throws(() => check('(;)'), /`core.wasm` lacks this function/);
    }
    await assert.rejects(init(`${address}/none`), /status 404/);
  } finally {
    server.close();
  }
  await init(readFileSync(join(web, 'dist', 'full.wasm')));
  assert.deepEqual(check('(;FF[4]GM[1]CA[UTF-8]SZ[19])'), []);
});

/** The blocks of JavaScript of a page. Where a line ends with `// → value`, its expression has that value. */
function* examplesOf(page) {
  for (const [, code] of page.matchAll(/^```js\n([^]*?)^```/gm)) yield code;
}

test('the examples of the pages', async () => {
  let checks = 0;
  for (const path of ['docs/javascript.md', 'web/README.md']) {
    for (const code of examplesOf(readFileSync(join(root, path), 'utf8'))) {
      const checked = code.replace(/^(?!\s*\/\/)(.*?);?\s*\/\/ → (.*)$/gm, (line, expression, value) => {
        checks += 1;
        return `equal(${expression}, ${value});`;
      });
      const own = (name) => `'${import.meta.resolve(name)}'`;
      const resolved = checked.replace(/import\.meta\.resolve\('(.*?)'\)/g, (_, name) => own(name)).replace(/from '(sgfstream.*?)'/g, (_, name) => `from ${own(name)}`);
      const source = `import { deepEqual as equal } from 'node:assert/strict';\n${resolved}`;
      await assert.doesNotReject(import(`data:text/javascript,${encodeURIComponent(source)}`), `${path}: ${code}`);
    }
  }
  assert.ok(checks > 10, `only ${checks} values`);
});
