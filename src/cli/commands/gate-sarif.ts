// A gate as SARIF 2.1.0: one result for each finding behind it, an error where it blocks and a warning where it warns.

import { plain } from '../plain.ts'
import type { Finding, Judged } from './judged.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export function asSarif({ deploy, gate, findings, total }: Judged) {
  const rules = [...new Set(findings.map(ruleOf))]
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Merlon', rules: rules.map((id) => ({ id })) } },
        automationDetails: { id: 'merlon/gate/' },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: gate.isJudged,
            toolExecutionNotifications: gate.unknown.map((text) => ({
              level: 'warning',
              message: { text: plain(text, 1000) },
            })),
          },
        ],
        results: findings.map((finding) => ({
          ruleId: ruleOf(finding),
          ruleIndex: rules.indexOf(ruleOf(finding)),
          level: finding.decision === 'BLOCK' ? 'error' : 'warning',
          message: { text: messageOf(finding) },
          ...locationsOf(finding),
          partialFingerprints: { 'merlonFinding/v1': finding.id },
          properties: {
            severity: finding.severity,
            type: finding.type,
            decision: finding.decision,
            reasons: finding.reasons,
          },
        })),
        properties: {
          decision: gate.decision,
          isJudged: gate.isJudged,
          sentence: gate.sentence,
          deployId: deploy.id,
          branch: deploy.branchName,
          commit: deploy.currentCommit,
          reasons: gate.reasons,
          findings: total,
        },
      },
    ],
  }
}

/** Rules of several tools may be called the same. */
const ruleOf = ({ toolName, toolRule }: Finding): string =>
  plain(toolName === null ? toolRule : `${toolName}/${toolRule}`, 255) || 'unnamed'

/** Viewers read `[text](address)` in a message as a link; a space between the two leaves it text. */
const messageOf = ({ severity, title }: Finding): string =>
  `${severity}: ${plain(title, 1000).replaceAll('](', '] (') || 'A finding without a title'}`

function locationsOf({ file, line }: Finding) {
  if (file === null || file === '') return {}
  if (/^https?:\/\//.test(file) && URL.canParse(file)) {
    return { locations: [{ physicalLocation: { artifactLocation: { uri: new URL(file).href } } }] }
  }
  const uri = file.toWellFormed().replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')
  const region = line === null || line < 1 ? {} : { region: { startLine: line } }
  return { locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...region } }] }
}
