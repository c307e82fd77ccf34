// The reports of the import's benchmark: findings in code as SARIF has them, and vulnerable components as Grype has them.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

export type ReportKind = 'SARIF' | 'Grype'

export function namedKind(name: string): ReportKind {
  if (name === 'SARIF' || name === 'Grype') return name
  throw new Error(`${name} is no report of this benchmark: SARIF or Grype`)
}

/** `number` counts from 0. */
type Report = { before: string; result: (number: number) => unknown; after: string }

/** Writes a report with `size` results. */
export async function writeReport(kind: ReportKind, file: string, size: number): Promise<void> {
  const { before, result, after } = kind === 'SARIF' ? sarif() : grype()
  const out = createWriteStream(file)
  out.write(before)
  for (let number = 0; number < size; number++) {
    if (!out.write(`${number === 0 ? '' : ','}\n${JSON.stringify(result(number))}`)) await once(out, 'drain')
  }
  out.end(after)
  await finished(out)
}

/** Results of 200 rules in 2,000 files, each with a line of code and its context, as a scanner writes them. */
function sarif(): Report {
  const rules = Array.from({ length: 200 }, (_, at) => ({
    id: `bench/rule-${at}`,
    shortDescription: { text: `Rule ${at} of the benchmark` },
    properties: {
      tags: ['security', `external/cwe/cwe-${79 + (at % 20)}`],
      'security-severity': String((at % 100) / 10),
    },
  }))
  const result = (number: number) => {
    const line = 10 + ((number * 7) % 3000)
    const lines = [0, 1, 2].map((next) => `  const value${number + next} = read(request.query.name${number % 977})`)
    const region = { startLine: line, startColumn: 9, snippet: { text: lines[1] } }
    const contextRegion = { startLine: line - 1, endLine: line + 1, snippet: { text: lines.join('\n') } }
    const uri = `src/part${number % 40}/module${(number * 31) % 2000}.ts`
    return {
      ruleId: rules[number % rules.length]?.id,
      ruleIndex: number % rules.length,
      level: 'warning',
      message: {
        text: `Value ${number} comes from the request and is used without being checked. ${'It should be checked. '.repeat(6)}`,
      },
      locations: [{ physicalLocation: { artifactLocation: { uri }, region, contextRegion } }],
    }
  }
  const driver = JSON.stringify({ name: 'bench', rules })
  return { before: `{"version":"2.1.0","runs":[{"tool":{"driver":${driver}},"results":[`, result, after: ']}]}\n' }
}

/** Twenty vulnerabilities in each package of an image. */
function grype(): Report {
  const result = (number: number) => {
    const [name, version] = [`package-${Math.floor(number / 20)}`, `1.${number % 7}.3`]
    return {
      vulnerability: {
        id: `CVE-2021-${10_000 + number}`,
        dataSource: `https://nvd.example/CVE-2021-${10_000 + number}`,
        severity: ['Critical', 'High', 'Medium', 'Low'][number % 4],
        description: `Version ${version} of ${name} reads past the end of its buffer. ${'It should be updated. '.repeat(6)}`,
        cvss: [{ version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', metrics: { baseScore: 9.8 } }],
        fix: { versions: ['2.0.0'], state: 'fixed' },
      },
      artifact: {
        name,
        version,
        type: 'npm',
        purl: `pkg:npm/${name}@${version}`,
        locations: [{ path: `/app/part${number % 40}/package-lock.json` }],
      },
    }
  }
  const source = JSON.stringify({ type: 'image', target: { userInput: 'bench:1', imageID: 'sha256:1' } })
  const descriptor = JSON.stringify({ name: 'grype', version: '0.80.0' })
  return { before: '{"matches":[', result, after: `],"source":${source},"descriptor":${descriptor}}\n` }
}
