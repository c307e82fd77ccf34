// Scans a checkout's JavaScript and TypeScript with eslint-plugin-security and prints a finding a line, for `merlon finding push`,
// or with --sarif a SARIF report, for `merlon import` and the console.

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

const [checkout = '.', format] = process.argv.slice(2)
const tracked = execFileSync('git', ['-C', checkout, 'ls-files', '-z', '*.ts', '*.mjs', '*.js'], { encoding: 'utf8' })
const linter = new Linter()
const config = {
  ...security.configs.recommended,
  files: ['**/*'],
  languageOptions: { ecmaVersion: 'latest', sourceType: 'module' },
}

/** Types give way to white space, so that every line and column stays where it is. */
const withoutTypes = (path: string, source: string) => (path.endsWith('.ts') ? stripTypeScriptTypes(source) : source)

type Finding = ReturnType<typeof findingOf>

function findingOf(
  path: string,
  code: string,
  ruleId: string,
  { message, line, column, severity }: Linter.LintMessage,
) {
  return {
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
    codeSnippet: code,
  }
}

function* scanned(): Generator<Finding> {
  for (const path of tracked.split('\0').filter((name) => name !== '')) {
    const source = readFileSync(join(checkout, path), 'utf8')
    const lines = source.split('\n')
    const messages = linter.verify(withoutTypes(path, source), [config], { filename: path.replace(/\.ts$/, '.js') })
    // Where two expressions begin at one place, the scanner says the same of it twice.
    const told = new Set<string>()
    for (const message of messages) {
      const place = `${message.ruleId} ${message.line}:${message.column}`
      if (message.ruleId === null || told.has(place)) continue
      told.add(place)
      yield findingOf(path, lines[message.line - 1] ?? '', message.ruleId, message)
    }
  }
}

/** The findings as SARIF 2.1.0, with a rule's weakness as the tag that GitHub's code scanning reads. */
function sarifOf(findings: readonly Finding[]) {
  const rules = [...Map.groupBy(findings, ({ ruleId }) => ruleId)].map(([id, [first]]) => ({
    id,
    shortDescription: { text: first?.title },
    properties: { tags: first?.category ? [`external/cwe/${first.category.toLowerCase()}`] : [] },
  }))
  const results = findings.map(({ ruleId, description, severity, fileName, firstLine, column, codeSnippet }) => ({
    ruleId,
    level: severity === 'MEDIUM' ? 'warning' : 'note',
    message: { text: description },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: fileName },
          region: { startLine: firstLine, startColumn: column, snippet: { text: codeSnippet } },
        },
      },
    ],
  }))
  const driver = { name: 'eslint-plugin-security', version: security.meta.version, rules }
  return { version: '2.1.0', runs: [{ tool: { driver }, results }] }
}

if (format === '--sarif') process.stdout.write(JSON.stringify(sarifOf([...scanned()])))
else for (const finding of scanned()) process.stdout.write(`${JSON.stringify(finding)}\n`)
