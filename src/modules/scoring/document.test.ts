// docs/scoring.md says what the program does, and its example gives the result that it states.

import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { services } from '../../../test/testkit/service.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { SlaState } from '../../core/issue-words.ts'
import { type Exposure, type Impact, points, priorityOf } from './priority.ts'

const page = readFileSync(new URL('../../../docs/scoring.md', import.meta.url), 'utf8')

/** The cells of the rows of a table whose head begins with these cells. */
function table(...head: string[]): string[][] {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')}`))
  const end = lines.findIndex((line, index) => index > start && line === '')
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test('the example, worked out by hand from its table, is what the rule gives', () => {
  const rows = table('input', 'value', 'points')
  const wordOf = (input: string) => rows.find(([name]) => name === input)?.[1] ?? ''
  const pointsOf = (input: string) => Number(rows.find(([name]) => name === input)?.[2])
  const said = Number(/in tenths \*\*([\d.]+)\*\*/.exec(page)?.[1])

  const byHand =
    pointsOf('severity') *
    (4 + ['exploitation', 'exposure', 'impact', 'SLA'].reduce((sum, name) => sum + pointsOf(name), 0))
  const { score, inputs } = priorityOf({
    isOpen: true,
    severity: wordOf('severity') as SeverityCategory,
    isKnownExploited: false,
    epss: Number(wordOf('exploitation')),
    exposure: wordOf('exposure') as Exposure,
    impact: wordOf('impact') as Impact,
    sla: wordOf('SLA') as SlaState,
  })

  expect(Math.round(byHand * 10) / 10).toBe(said)
  expect(score).toBe(said)
  expect(inputs.exploitation.points).toBe(pointsOf('exploitation'))
})

test('the points of every input are those of the rule', () => {
  const rows = new Map(table('input', 'points').map(([input = '', text = '']) => [input, text]))

  for (const [input, values] of [
    ['severity', points.severity],
    ['impact', points.impact],
    ['exposure', points.exposure],
  ] as const) {
    for (const [name, value] of Object.entries(values)) expect(rows.get(input)).toContain(`${name} ${value}`)
  }
  expect(rows.get('exploitation')).toContain(`(KEV) ${points.knownExploited}; else ${points.epss} × EPSS`)
  for (const name of ['BREACHED', 'APPROACHING', 'ON_TRACK'] as const) {
    expect(rows.get('SLA')).toContain(`${name} ${points.sla[name]}`)
  }
})

test('the usual days are those of the database', async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { rows } = await sql<{ severity: string; days: (number | null)[] }>`
    select severity, jsonb_agg(days order by array_position(array['HIGH', 'MEDIUM', 'LOW', 'NOT_DEFINED'], business_impact)) as days
    from sla_default group by severity order by severity desc`.execute(service.app.db)

  const kept = rows.map(({ severity, days }) => [
    severity,
    ...days.map((each) => (each === null ? 'never' : String(each))),
  ])

  expect(table('severity', 'HIGH')).toEqual(kept)
})
