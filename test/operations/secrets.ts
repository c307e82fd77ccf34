// `npm run operations -- secrets`: what the review reports as secrets in sources without any, such as installed packages.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { added, fileOf } from '../../bench/secrets.ts'
import { reviewFile } from '../../src/review/run.ts'
import { secrets } from '../../src/review/secrets/reviewer.ts'

const LARGEST = 3 * 1024 * 1024
const folders = ['node_modules', 'src', 'test', 'web', 'docs']

/**
 * Prints each finding with its masked line, and the counts by rule and severity. It fails if more than `most` findings
 * are MEDIUM or above.
 */
export async function run(): Promise<(most: number) => Promise<string[]>> {
  return async (most) => {
    const counts = new Map<string, number>()
    const severe: string[] = []
    let bytes = 0
    let files = 0
    for (const [path, content] of sources()) {
      bytes += content.length
      files += 1
      const patch = added(path, content)
      for (const found of reviewFile(fileOf(path, patch), [secrets], { key: Buffer.alloc(32) })) {
        if (found.kind !== 'OBSERVATION') continue
        const { ruleId, severity, line, codeSnippet } = found.observation
        const name = `${severity} ${ruleId}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
        const told = `${path}:${line} ${ruleId} ${severity}: ${codeSnippet?.trim().slice(0, 120)}`
        if (severity !== 'LOW') severe.push(told)
        console.log(told)
      }
    }
    console.log(`${files} files, ${(bytes / 1e6).toFixed(0)} MB`)
    for (const [name, count] of [...counts].sort(([, one], [, other]) => other - one)) console.log(`${count} ${name}`)
    return severe.length > most ? severe : []
  }
}

function* sources(): Generator<[string, Buffer]> {
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (
        !entry.isFile() ||
        statSync(path).size > LARGEST ||
        (folder !== 'node_modules' && path.includes('node_modules'))
      )
        continue
      const content = readFileSync(path)
      if (content.length > 0 && !content.includes(0))
        yield [relative('.', path).replace(/^node_modules\//, ''), content]
    }
  }
}
