// The outcome of a scan as text for a terminal.

import type { Severity } from '../scanner/check.ts'
import { endings, type Outcome } from '../scanner/outcome.ts'
import { counted, printable, say } from './output.ts'

const severities: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION']

export function printText(outcome: Outcome): void {
  const { findings, operations, requests, ms, state, reason, skipped, notes, accountPassword } = outcome
  for (const { severity, title, cwes, detail, operation, parameter, others, evidence, solution } of bySeverity(
    findings,
  )) {
    say('')
    say(`${severity}  ${title}  (${cwes.map((cwe) => `CWE-${cwe}`).join(', ')})`)
    say(
      `  at      ${printable(operation)}${parameter ? `, ${parameter.place} ${printable(parameter.name)}` : ''}${others.length > 0 ? ` and ${others.length} more` : ''}`,
    )
    say(`  shows   ${printable(detail)}`)
    say(`  change  ${solution}`)
    say(`  again   ${printable(evidence.curl)}`)
  }
  say('')
  say(
    `${counted(findings.length, 'finding')} in ${counted(operations.length, 'operation')}, ${counted(requests, 'request')}, ${(ms / 1000).toFixed(1)} s: ${endings[state]}${reason && reason !== endings[state] ? ` (${printable(reason)})` : ''}`,
  )
  if (skipped.length > 0)
    say(
      `${counted(skipped.length, 'operation was', 'operations were')} not scanned: ${[...new Set(skipped.map((one) => one.reason))].join('; ')}`,
    )
  for (const note of notes) say(`${printable(note)}.`)
  // anything but a terminal may be a log with many readers
  if (accountPassword !== null)
    say(
      process.stdout.isTTY
        ? `Their password is ${accountPassword}.`
        : 'Their password is in the JSON outcome, and is shown in a terminal.',
    )
}

const bySeverity = (findings: Outcome['findings']) =>
  [...findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
