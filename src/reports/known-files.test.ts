// Where a repository lies on a scanner's machine, told by its files.

import { expect, test } from 'vitest'
import { knowingFiles } from './known-files.ts'

const find = knowingFiles([
  'app.py',
  'include/string.h',
  'index.js',
  'lib/index.js',
  'packages/a/lib/index.js',
  'packages/b/package.json',
  'src/shop/cart.py',
])

test.each([
  ['/home/ann/shop/src/shop/cart.py', '/home/ann/shop/'],
  ['/src/src/shop/cart.py', '/src/'],
  ['/src/shop/cart.py', '/'],
  ['C:/Users/ann/shop/src/shop/cart.py', 'C:/Users/ann/shop/'],
  ['/srv/build/app.py', '/srv/build/'],
  ['/usr/src/shop/include/string.h', '/usr/src/shop/'],
  ['/srv/packages/a/lib/index.js', '/srv/'],
])('The repository of %s is in %s', (path, directory) => {
  expect(find(path)).toBe(directory)
})

test.each([
  ['/srv/shop/other.py', 'no file is called so'],
  ['/srv/shop/cart.py', 'only the end of a file’s path stands there'],
  ['/srv/shop/index.js', 'several files end so'],
  ['/srv/packages/b/lib/index.js', 'two files have as much of it'],
  ['/srv/shop/node_modules/x/src/shop/cart.py', 'it is somebody else’s'],
  ['/usr/lib/python3/dist-packages/app.py', 'it is somebody else’s'],
  ['/usr/include/string.h', 'it is the machine’s'],
  ['/usr/local/lib/python3.13/json/app.py', 'it is the machine’s'],
  ['C:/Program Files (x86)/Tools/include/string.h', 'it is the machine’s'],
  ['/srv/my-app.py', 'a name is a whole name'],
])('The repository of %s is not known, as %s', (path) => {
  expect(find(path)).toBeNull()
})

test('Of a repository without files nothing is known', () => {
  expect(knowingFiles([])('/srv/shop/app.py')).toBeNull()
})
