// However a lockfile is cut into hunks, no package is told that the whole file does not have.

import { describe, expect, test } from 'vitest'
import { reviewDiff } from '../run.ts'
import { dependencies } from './reviewer.ts'

const files: Readonly<Record<string, string>> = {
  'package-lock.json': `{
  "name": "ours",
  "version": "9.9.9",
  "lockfileVersion": 3,
  "packages": {
    "": {
      "name": "ours",
      "version": "9.9.9",
      "dependencies": { "left": "^1.0.0" }
    },
    "packages/site": {
      "version": "8.8.8",
      "license": "MIT"
    },
    "node_modules/left": {
      "version": "1.2.3",
      "resolved": "https://registry.example/left/-/left-1.2.3.tgz",
      "integrity": "sha512-aaaa",
      "engines": {
        "node": ">=18"
      }
    },
    "node_modules/left/node_modules/@scope/right": {
      "version": "2.0.0",
      "resolved": "https://registry.example/@scope/right/-/right-2.0.0.tgz",
      "dependencies": {
        "left": "1.2.3"
      }
    }
  }
}`,
  'npm-shrinkwrap.json': `{
  "name": "ours",
  "version": "9.9.9",
  "lockfileVersion": 1,
  "dependencies": {
    "left": {
      "version": "1.2.3",
      "resolved": "https://registry.example/left/-/left-1.2.3.tgz",
      "requires": {
        "@scope/right": "^2.0.0"
      },
      "dependencies": {
        "@scope/right": {
          "version": "2.0.0",
          "bundled": true
        }
      }
    }
  }
}`,
  'yarn.lock': `# yarn lockfile v1


"@scope/right@^2.0.0", "@scope/right@^2.1.0":
  version "2.1.0"
  resolved "https://registry.example/@scope/right/-/right-2.1.0.tgz#aaaa"
  integrity sha512-aaaa
  dependencies:
    left "^1.0.0"

left@^1.0.0:
  version "1.2.3"
  resolved "https://registry.example/left/-/left-1.2.3.tgz#bbbb"`,
  'uv.lock': `version = 1
requires-python = ">=3.12"

[[package]]
name = "flask"
version = "2.1.2"
source = { registry = "https://pypi.example/simple" }
dependencies = [
    { name = "werkzeug" },
]

[[package]]
name = "ours"
version = "9.9.9"
source = { editable = "." }

[package.metadata]
requires-dist = [{ name = "flask", specifier = "==2.1.2" }]`,
  'Cargo.lock': `version = 3

[[package]]
name = "ours"
version = "9.9.9"
dependencies = [
 "serde",
]

[[package]]
name = "serde"
version = "1.0.1"
source = "registry+https://crates.example/index"
checksum = "aaaa"`,
  'composer.lock': `{
    "packages": [
        {
            "name": "vendor/left",
            "version": "v1.2.3",
            "source": {
                "type": "git",
                "reference": "aaaa"
            },
            "require": {
                "php": ">=8.1"
            }
        },
        {
            "name": "vendor/right",
            "version": "2.0.0"
        }
    ]
}`,
  'Pipfile.lock': `{
    "_meta": {
        "hash": {
            "sha256": "aaaa"
        }
    },
    "default": {
        "flask": {
            "hashes": [
                "sha256:aaaa"
            ],
            "index": "pypi",
            "version": "==2.1.2"
        },
        "werkzeug": {
            "version": "==3.0.0"
        }
    }
}`,
  'pom.xml': `<project>
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.ours</groupId>
    <artifactId>parent</artifactId>
    <version>7.0.0</version>
  </parent>
  <groupId>org.ours</groupId>
  <artifactId>app</artifactId>
  <version>9.9.9</version>
  <dependencies>
    <dependency>
      <groupId>org.a</groupId>
      <artifactId>left</artifactId>
      <version>1.2.3</version>
      <exclusions>
        <exclusion>
          <groupId>org.b</groupId>
          <artifactId>right</artifactId>
        </exclusion>
      </exclusions>
    </dependency>
    <dependency>
      <groupId>org.c</groupId>
      <artifactId>third</artifactId>
      <version>3.0.0</version>
    </dependency>
  </dependencies>
</project>`,
}

/** The packages of a hunk of some lines, of which every second may be context. */
async function packagesOf(path: string, lines: readonly string[], isMixed: boolean): Promise<string[]> {
  const marked = lines.map((line, index) => `${isMixed && index % 2 === 1 ? ' ' : '+'}${line}`)
  const context = marked.filter((line) => line.startsWith(' ')).length
  const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -5,${context} +5,${lines.length} @@\n${marked.join('\n')}\n`
  async function* bytes() {
    yield Buffer.from(diff)
  }
  const found = await Array.fromAsync(reviewDiff(bytes(), { key: Buffer.alloc(32), reviewers: [dependencies] }))
  return found.flatMap((one) => (one.kind === 'PACKAGE' ? [`${one.found.name} ${one.found.version}`] : []))
}

describe('a lockfile that is cut anywhere', () => {
  test.each(Object.entries(files))('%s names nothing else than as a whole', async (path, content) => {
    const lines = content.split('\n')
    const whole = new Set(await packagesOf(path, lines, false))
    const others: string[] = []
    for (let from = 0; from < lines.length; from++) {
      for (const length of [1, 2, 3, 5, 8, 13]) {
        for (const isMixed of [false, true]) {
          const told = await packagesOf(path, lines.slice(from, from + length), isMixed)
          others.push(...told.filter((one) => !whole.has(one)).map((one) => `${one} in ${length} lines from ${from}`))
        }
      }
    }

    expect(whole.size).toBeGreaterThan(0)
    expect([...whole].filter((one) => /[89]\.\d\.\d$/.test(one))).toEqual([])
    expect(others).toEqual([])
  })
})
