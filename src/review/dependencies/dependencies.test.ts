// Which versions of packages a diff of manifests and lockfiles adds, by format, and what a fragment leaves open.

import { expect, test } from 'vitest'
import { readLockfile as read } from '../../../test/testkit/lockfiles.ts'
import { reviewDiff } from '../run.ts'
import { dependencies } from './reviewer.ts'

test('package-lock.json: a new version of a package whose key is in the hunk', async () => {
  const { packages } = await read(
    'web/package-lock.json',
    '     "node_modules/a/node_modules/@scope/left": {',
    '-      "version": "1.0.0",',
    '+      "version": "1.2.0",',
    '       "license": "MIT",',
  )

  expect(packages).toEqual(['npm @scope/left 1.2.0 :11'])
})

test('package-lock.json: the tarball names the package where its key is above the hunk', async () => {
  const { packages, notes } = await read(
    'package-lock.json',
    '-      "version": "1.0.0",',
    '-      "resolved": "https://registry.example/lodash/-/lodash-1.0.0.tgz",',
    '+      "version": "4.17.20",',
    '+      "resolved": "https://registry.example/lodash/-/lodash-4.17.20.tgz",',
    '       "license": "MIT"',
  )

  expect(packages).toEqual(['npm lodash 4.17.20 :10'])
  expect(notes).toEqual([])
})

test('package-lock.json: a version without anything that names it is told as unclear', async () => {
  const { packages, notes } = await read(
    'package-lock.json',
    '-      "version": "1.0.0",',
    '+      "version": "1.1.0",',
  )

  expect(packages).toEqual([])
  expect(notes).toEqual(['1 added versions could not be matched to a package, because the diff does not show its name'])
})

test('package-lock.json: the project itself, links and moved entries are not told', async () => {
  const { packages } = await read(
    'package-lock.json',
    '     "": {',
    '+      "version": "2.0.0",',
    '     },',
    '-    "node_modules/a": {',
    '-      "version": "1.0.0",',
    '-    },',
    '     "node_modules/b": {',
    '+      "version": "file:../b",',
    '     },',
    '+    "node_modules/a": {',
    '+      "version": "1.0.0",',
    '+    },',
  )

  expect(packages).toEqual([])
})

test('yarn.lock: of Yarn 1 by its header or its tarball, of later ones by the resolution', async () => {
  const one = await read(
    'yarn.lock',
    '+"@scope/a@^1.0.0", "@scope/a@^1.1":',
    '+  version "1.1.5"',
    ' ',
    '-  version "2.0.0"',
    '-  resolved "https://registry.example/b/-/b-2.0.0.tgz#0"',
    '+  version "2.0.1"',
    '+  resolved "https://registry.example/b/-/b-2.0.1.tgz#1"',
  )
  const berry = await read(
    'yarn.lock',
    '+"c@npm:^3.0.0, c@npm:^3.1.0":',
    '+  version: 3.1.4',
    '+  resolution: "c@npm:3.1.4"',
    ' ',
    '+"own@workspace:.":',
    '+  version: 0.0.0-use.local',
    '+  resolution: "own@workspace:."',
  )

  expect(one.packages).toEqual(['npm @scope/a 1.1.5 :11', 'npm b 2.0.1 :13'])
  expect(berry.packages).toEqual(['npm c 3.1.4 :11'])
})

test('pnpm-lock.yaml: keys of all its versions, each package once', async () => {
  const { packages } = await read(
    'pnpm-lock.yaml',
    '+  /old/1.0.0:',
    '+  /a@1.0.0:',
    "+  '@scope/b@2.0.0(react@18.0.0)':",
    '+  c@3.0.0:',
    '+  c@3.0.0: {}',
  )

  expect(packages).toEqual(['npm old 1.0.0 :10', 'npm a 1.0.0 :11', 'npm @scope/b 2.0.0 :12', 'npm c 3.0.0 :13'])
})

test('bun.lock: the package that an entry stands for, whatever the entry is called', async () => {
  const { packages } = await read('bun.lock', '+    "a": ["@scope/a@1.0.0", "", {}, "sha512-x"],')

  expect(packages).toEqual(['npm @scope/a 1.0.0 :10'])
})

test('requirements: pinned versions alone, under the name that PyPI knows', async () => {
  const { packages } = await read(
    'requirements/dev.txt',
    '+Django==3.2.1 \\',
    '+    --hash=sha256:00',
    '+Zope.Interface[test]==5.0 ; python_version < "3"',
    '+flask>=1.0',
    '+requests==2.*',
  )

  expect(packages).toEqual(['PyPI django 3.2.1 :10', 'PyPI zope-interface 5.0 :12'])
})

test('poetry.lock, uv.lock and Cargo.lock: the name above the version', async () => {
  const lines = [' [[package]]', ' name = "serde"', '-version = "1.0.0"', '+version = "1.0.1"']

  expect((await read('poetry.lock', ...lines)).packages).toEqual(['PyPI serde 1.0.1 :12'])
  const uv = await read('uv.lock', ...lines, ' source = { registry = "https://pypi.example/simple" }')
  const cargo = await read('Cargo.lock', ...lines, ' source = "registry+https://crates.example/index"')
  expect(uv.packages).toEqual(['PyPI serde 1.0.1 :12'])
  expect(cargo.packages).toEqual(['crates.io serde 1.0.1 :12'])
})

test("uv.lock and Cargo.lock: the project's own packages are none, and what ends before it says so is unclear", async () => {
  const own = ['+[[package]]', '+name = "ours"', '+version = "1.0.1"']

  const uv = await read('uv.lock', ...own, '+source = { editable = "." }')
  const cargo = await read('Cargo.lock', ...own, '+dependencies = [')
  const cut = [await read('uv.lock', ...own), await read('Cargo.lock', ...own)]

  expect([uv, cargo]).toEqual([
    { packages: [], notes: [] },
    { packages: [], notes: [] },
  ])
  expect(cut.map(({ packages, notes }) => [packages.length, notes.length])).toEqual([
    [0, 1],
    [0, 1],
  ])
})

test('go.mod: what is excluded is not used, and what a later hunk requires is', async () => {
  const diff = `diff --git a/go.mod b/go.mod
--- a/go.mod
+++ b/go.mod
@@ -3,0 +3,2 @@
+exclude (
+\texample.org/left v1.0.0
@@ -20,0 +22 @@
+\texample.org/right v2.0.0
`
  async function* bytes() {
    yield Buffer.from(diff)
  }

  const found = await Array.fromAsync(reviewDiff(bytes(), { key: Buffer.alloc(32), reviewers: [dependencies] }))

  expect(found).toMatchObject([{ kind: 'PACKAGE', found: { name: 'example.org/right', version: 'v2.0.0' } }])
})

test('go.sum and go.mod: modules that are used, what stands in for others, and not what is known by its go.mod alone', async () => {
  const sum = await read(
    'go.sum',
    '+golang.org/x/net v0.1.0 h1:abc=',
    '+golang.org/x/text v0.3.0/go.mod h1:abc=',
    '+github.com/a/b v0.0.0-20200101000000-abcdefabcdef h1:abc=',
  )
  const mod = await read(
    'go.mod',
    ' require (',
    '+\tgolang.org/x/net v0.1.0 // indirect',
    ' )',
    '+replace a.org/b => a.org/c v1.0.0',
    '+replace (',
    '+\ta.org/d v1.0.0 => ../d',
    '+\ta.org/e v1.0.0 => a.org/f v1.1.0',
    '+)',
    '+require (',
    '+\ta.org/d v1.0.0',
    '+\ta.org/e v1.2.0',
    '+)',
  )

  expect(sum.packages).toEqual([
    'Go golang.org/x/net v0.1.0 :10',
    'Go github.com/a/b v0.0.0-20200101000000-abcdefabcdef :12',
  ])
  expect(mod.packages).toEqual([
    'Go golang.org/x/net v0.1.0 :11',
    'Go a.org/c v1.0.0 :13',
    'Go a.org/f v1.1.0 :16',
    'Go a.org/e v1.2.0 :20',
  ])
})

test('pom.xml: a version, one by a property of the hunk, and one whose property stands elsewhere', async () => {
  const { packages, notes } = await read(
    'pom.xml',
    '+    <log4j.version>2.14.1</log4j.version>',
    '     <dependency>',
    '       <groupId>org.apache.logging.log4j</groupId>',
    '       <artifactId>log4j-core</artifactId>',
    `       <version>\${log4j.version}</version>`,
    '     </dependency>',
    '     <dependency>',
    '       <groupId>a.b</groupId>',
    '       <artifactId>c</artifactId>',
    '-      <version>1.0</version>',
    '+      <version>1.1</version>',
    '     </dependency>',
    '+      <groupId>d</groupId>',
    '+      <artifactId>e</artifactId>',
    `+      <version>\${elsewhere}</version>`,
  )

  expect(packages).toEqual(['Maven org.apache.logging.log4j:log4j-core 2.14.1 :14', 'Maven a.b:c 1.1 :19'])
  expect(notes).toHaveLength(1)
})

test('Gradle: its lockfile and its build file', async () => {
  const lock = await read('gradle.lockfile', '+com.a:b:1.0=compileClasspath,runtimeClasspath')
  const build = await read(
    'app/build.gradle.kts',
    '+    implementation("com.a:c:2.0")',
    "+    testImplementation 'com.a:d:3.+'",
  )

  expect(lock.packages).toEqual(['Maven com.a:b 1.0 :10'])
  expect(build.packages).toEqual(['Maven com.a:c 2.0 :10'])
})

test('Gemfile.lock: gems, not what they ask for, without their platform', async () => {
  const { packages } = await read(
    'Gemfile.lock',
    '+    nokogiri (1.13.0-x86_64-linux)',
    '+      racc (~> 1.4)',
    '+    rack (2.2.3.pre)',
  )

  expect(packages).toEqual(['RubyGems nokogiri 1.13.0 :10', 'RubyGems rack 2.2.3.pre :12'])
})

test('composer.lock: the name above the version, whatever its case', async () => {
  const { packages } = await read(
    'composer.lock',
    '             "name": "Symfony/Http-Kernel",',
    '-            "version": "v4.4.0",',
    '+            "version": "v4.4.13",',
  )

  expect(packages).toEqual(['Packagist symfony/http-kernel v4.4.13 :11'])
})

test('package-lock.json of version 1: the key is the name, and an alias says what it stands for', async () => {
  const { packages } = await read(
    'package-lock.json',
    '   "dependencies": {',
    '+    "left-pad": {',
    '+      "version": "1.3.0",',
    '+      "integrity": "sha512-Zm9v"',
    '+    },',
    '+    "right-pad": {',
    '+      "version": "npm:@scope/pad@2.0.0"',
    '+    },',
  )

  expect(packages).toEqual(['npm left-pad 1.3.0 :12', 'npm @scope/pad 2.0.0 :16'])
})

test("package-lock.json: folders of the project are no packages, and an entry's own name is told", async () => {
  const { packages } = await read(
    'package-lock.json',
    '+    "packages/ours": {',
    '+      "version": "1.3.0",',
    '+      "license": "MIT"',
    '+    },',
    '+    "website": {',
    '+      "version": "1.4.0",',
    '+      "license": "MIT"',
    '+    },',
    '+    "node_modules/alias": {',
    '+      "name": "real",',
    '+      "version": "2.0.0",',
    '+      "license": "MIT"',
    '+    },',
  )

  expect(packages).toEqual(['npm real 2.0.0 :20'])
})

test('pnpm-lock.yaml: what follows a version is no part of it, and a registry before a name neither', async () => {
  const { packages } = await read(
    'pnpm-lock.yaml',
    '+  /@scope/plugin/5.13.0_33fffc354ccfa91f:',
    '+  registry.example/left/1.1.0:',
    '+  /chart.js/3.9.1_date-fns@2.29.3:',
  )

  expect(packages).toEqual(['npm @scope/plugin 5.13.0 :10', 'npm left 1.1.0 :11', 'npm chart.js 3.9.1 :12'])
})

test('yarn.lock: keys in quotes', async () => {
  const { packages } = await read(
    'yarn.lock',
    '+left@^1.0.0:',
    '+  "version" "1.0.2"',
    '+',
    '+"right@npm:^2":',
    '+  "version": 2.0.3',
  )

  expect(packages).toEqual(['npm left 1.0.2 :11', 'npm right 2.0.3 :14'])
})

test('Pipfile.lock and pylock.toml: any indentation, and either quotes', async () => {
  const pipfile = await read(
    'Pipfile.lock',
    '+    "flask": {',
    '+      "index": "pypi",',
    '+      "version": "==2.1.2"',
    '+    }',
  )
  const pylock = await read('pylock.toml', '+[[packages]]', "+name = 'flask'", "+version = '2.1.2'", '+')

  expect(pipfile.packages).toEqual(['PyPI flask 2.1.2 :12'])
  expect(pylock.packages).toEqual(['PyPI flask 2.1.2 :12'])
})

test('requirements.txt: options behind a version, and none in its place', async () => {
  const { packages } = await read(
    'requirements.txt',
    '+one==1.0 --config-settings=a',
    '+two==2.0 -C a',
    '+three== --hash=sha256:1',
  )

  expect(packages).toEqual(['PyPI one 1.0 :10', 'PyPI two 2.0 :11'])
})

test('pom.xml: the project itself is no dependency, a name by a property is the whole name, and one version in brackets is that one', async () => {
  const { packages, notes } = await read(
    'pom.xml',
    '+<project>',
    '+  <groupId>org.ours</groupId>',
    '+  <artifactId>app</artifactId>',
    '+  <version>1.0.0</version>',
    '+  <properties>',
    '+    <scala>2.13</scala>',
    '+  </properties>',
    '+  <dependency>',
    '+    <groupId>org.a</groupId>',
    `+    <artifactId>left_\${scala}</artifactId>`,
    '+    <version>[3.0.0]</version>',
    '+  </dependency>',
    '+  <dependency>',
    '+    <groupId>org.a</groupId>',
    `+    <artifactId>\${elsewhere}</artifactId>`,
    '+    <version>3.0.0</version>',
    '+  </dependency>',
  )

  expect(packages).toEqual(['Maven org.a:left_2.13 3.0.0 :20'])
  expect(notes).toHaveLength(1)
})
