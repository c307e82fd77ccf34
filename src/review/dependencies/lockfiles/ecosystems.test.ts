// Which versions a diff of the lockfiles of .NET, Dart, Elixir, Swift and Gradle's catalogues adds.

import { expect, test } from 'vitest'
import { readLockfile as read } from '../../../../test/testkit/lockfiles.ts'
import { reviewDiff } from '../../run.ts'
import { dependencies } from '../reviewer.ts'

test('packages.lock.json: a version whose package stands above it, without regard to case', async () => {
  const { packages, notes } = await read(
    'src/packages.lock.json',
    '       "Newtonsoft.Json": {',
    '         "type": "Direct",',
    '-        "requested": "[12.0.1, )",',
    '-        "resolved": "12.0.1",',
    '+        "requested": "[12.0.3, )",',
    '+        "resolved": "12.0.3",',
    '       "dependencies": {',
    '+        "System.Buffers": "4.5.1"',
  )

  expect(packages).toEqual(['NuGet newtonsoft.json 12.0.3 :13'])
  expect(notes).toEqual([])
})

test('Projects of .NET name packages with versions, and ranges are not told', async () => {
  const { packages } = await read(
    'App.csproj',
    '+    <PackageReference Include="Newtonsoft.Json" Version="12.0.1" />',
    '+    <PackageReference Version="[5.0.0]" Include="Exact" />',
    '+    <PackageReference Include="Range" Version="[1.0,2.0)" />',
    '+    <PackageReference Include="Central" />',
  )

  expect(packages).toEqual(['NuGet newtonsoft.json 12.0.1 :10', 'NuGet exact 5.0.0 :11'])
})

test('Each element of a line has its own version, and a comment has none', async () => {
  const { packages } = await read(
    'App.csproj',
    '+    <PackageReference Include="Central" /><PackageReference Include="Own" Version="1.0.0" />',
    `+    <PackageReference Include='Quoted' Version='2.0.0' />`,
    '+    <!-- <PackageReference Include="Gone" Version="3.0.0" /> -->',
  )

  expect(packages).toEqual(['NuGet own 1.0.0 :10', 'NuGet quoted 2.0.0 :11'])
})

test('pubspec.lock: the name in the description is enough, and what is not fetched from a registry is none', async () => {
  const { packages, notes } = await read(
    'pubspec.lock',
    '       name: http',
    '-      sha256: aaaa',
    '+      sha256: bbbb',
    '       url: "https://pub.example"',
    '     source: hosted',
    '-    version: "0.13.1"',
    '+    version: "0.13.2"',
    '   ours:',
    '     dependency: "direct main"',
    '     source: path',
    '+    version: "2.0.0"',
  )

  expect(packages).toEqual(['Pub http 0.13.2 :14'])
  expect(notes).toEqual([])
})

test('pubspec.lock: a package that now comes from a registry is new there', async () => {
  const { packages } = await read(
    'pubspec.lock',
    '   http:',
    '     dependency: transitive',
    '-    source: git',
    '+    source: hosted',
    "     version: '0.13.1'",
  )

  expect(packages).toEqual(['Pub http 0.13.1 :13'])
})

test('mix.lock: the package by its own name, and what comes from Git is none', async () => {
  const { packages } = await read(
    'mix.lock',
    '+  "ex": {:hex, :plug, "1.14.0", "aaaa", [:mix], [{:mime, "~> 1.0", [hex: :mime]}], "hexpm", "bbbb"},',
    '+  "own": {:git, "https://code.example/own.git", "aaaa", []},',
  )

  expect(packages).toEqual(['Hex plug 1.14.0 :10'])
})

test('Package.resolved: a package is its repository, and without that in sight it is unclear', async () => {
  const whole = await read(
    'Package.resolved',
    '       "location" : "git@github.com:Vapor/Vapor.git",',
    '       "state" : {',
    '-        "version" : "4.84.1"',
    '+        "version" : "4.84.2"',
  )
  const cut = await read('Package.resolved', '+        "version" : "4.84.2"', '       }', '     },', '     {')

  expect(whole.packages).toEqual(['SwiftURL github.com/vapor/vapor 4.84.2 :12'])
  expect(cut.packages).toEqual([])
  expect(cut.notes).toHaveLength(1)
})

test('Package.resolved: whoever signs in to a repository is no part of its name', async () => {
  const { packages } = await read(
    'Package.resolved',
    '+      "location" : "https://somebody:word@code.example/owner/left.git",',
    '+        "version" : "1.2.3"',
  )

  expect(packages).toEqual(['SwiftURL code.example/owner/left 1.2.3 :11'])
})

test('A catalogue of Gradle: comments name nothing, and either kind of quotes will do', async () => {
  const { packages } = await read(
    'libs.versions.toml',
    '+# old = { module = "org.left:left", version = "1.0.0" }',
    "+right = { module = 'org.right:right', version = '2.0.0' }",
  )

  expect(packages).toEqual(['Maven org.right:right 2.0.0 :11'])
})

test('A catalogue of Gradle: a version is that of the libraries that name it, also in another hunk', async () => {
  const diff = `diff --git a/gradle/libs.versions.toml b/gradle/libs.versions.toml
--- a/gradle/libs.versions.toml
+++ b/gradle/libs.versions.toml
@@ -3,2 +3,2 @@
 [versions]
-jackson = "2.13.0"
+jackson = "2.13.1"
@@ -40,2 +40,3 @@
 [libraries]
 databind = { module = "com.fasterxml.jackson.core:jackson-databind", version.ref = "jackson" }
+other = { module = "org.other:other", version.ref = "elsewhere" }
`
  async function* bytes() {
    yield Buffer.from(diff)
  }

  const found = await Array.fromAsync(reviewDiff(bytes(), { key: Buffer.alloc(32), reviewers: [dependencies] }))

  expect(found).toMatchObject([
    { kind: 'PACKAGE', found: { name: 'com.fasterxml.jackson.core:jackson-databind', version: '2.13.1', line: 4 } },
    { kind: 'NOTE', note: { area: 'dependencies' } },
  ])
})

test('build.gradle: a dependency whose parts have names, in Groovy and in Kotlin', async () => {
  const groovy = await read(
    'build.gradle',
    "+    implementation group: 'commons-io', name: 'commons-io', version: '2.7'",
    "+    testImplementation(group: 'org.a', name: 'b', version: '1.0')",
    "+    implementation group: 'org.a', name: 'managed'",
    "+    implementation group: 'org.a', name: 'open', version: '1.+'",
    "+    implementation group: 'org.a', name: 'other', version: libVersion",
    "+    // implementation group: 'org.a', name: 'off', version: '1.0'",
    "+    // implementation 'org.a:off:1.0'",
  )
  const kotlin = await read('build.gradle.kts', '+    implementation(group = "org.a", name = "b", version = "1.0")')

  expect(groovy.packages).toEqual(['Maven commons-io:commons-io 2.7 :10', 'Maven org.a:b 1.0 :11'])
  expect(kotlin.packages).toEqual(['Maven org.a:b 1.0 :10'])
})

test('pom.xml: a property that says a version whose package stands elsewhere is told as unclear', async () => {
  const { packages, notes } = await read(
    'pom.xml',
    '     <properties>',
    '-        <version.spotbugs>4.10.2</version.spotbugs>',
    '+        <version.spotbugs>4.10.3</version.spotbugs>',
    '+        <java.version>21</java.version>',
    '+        <skipTests>true</skipTests>',
  )

  expect(packages).toEqual([])
  expect(notes).toEqual(['1 added versions could not be matched to a package, because the diff does not show its name'])
})
