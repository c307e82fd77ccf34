// Scans a checkout's JavaScript and TypeScript with eslint-plugin-security and prints a finding a line, for `merlon finding push`.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { Linter } from 'eslint'
import security from 'eslint-plugin-security'

/** What the plugin's rules look for, as a CWE. */
const weaknesses: Record<string, string> = {
  'security/detect-non-literal-fs-filename': 'CWE-22',
  'security/detect-object-injection': 'CWE-915',
  'security/detect-unsafe-regex': 'CWE-1333',
  'security/detect-non-literal-regexp': 'CWE-1333',
  'security/detect-child-process': 'CWE-78',
  'security/detect-eval-with-expression': 'CWE-95',
  'security/detect-possible-timing-attacks': 'CWE-208',
}

const [checkout = '.'] = process.argv.slice(2)
const tracked = execFileSync('git', ['-C', checkout, 'ls-files', '-z', '*.ts', '*.mjs', '*.js'], { encoding: 'utf8' })
const linter = new Linter()
const config = {
  ...security.configs.recommended,
  files: ['**/*'],
  languageOptions: { ecmaVersion: 'latest', sourceType: 'module' },
}

/** Types give way to white space, so that every line and column stays where it is. */
const withoutTypes = (path: string, source: string) => (path.endsWith('.ts') ? stripTypeScriptTypes(source) : source)

for (const path of tracked.split('\0').filter((name) => name !== '')) {
  const source = readFileSync(join(checkout, path), 'utf8')
  const lines = source.split('\n')
  const messages = linter.verify(withoutTypes(path, source), [config], { filename: path.replace(/\.ts$/, '.js') })
  // Where two expressions begin at one place, the scanner says the same of it twice.
  const told = new Set<string>()
  for (const { ruleId, message, line, column, severity } of messages) {
    const place = `${ruleId} ${line}:${column}`
    if (ruleId === null || told.has(place)) continue
    told.add(place)
    const finding = {
      toolName: 'eslint-plugin-security',
      ruleId,
      title: ruleId.replace('security/', '').replaceAll('-', ' '),
      description: message,
      category: weaknesses[ruleId] ?? null,
      severity: severity === 2 ? 'MEDIUM' : 'LOW',
      fileName: path,
      vulnerableLine: line,
      firstLine: line,
      column,
      codeSnippet: lines[line - 1] ?? '',
    }
    process.stdout.write(`${JSON.stringify(finding)}\n`)
  }
}
