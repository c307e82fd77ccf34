// How Veracode's detailed report is read.

import { describe, expect, test } from 'vitest'
import { observationsIn, recognisedBy, rowsIn } from '../../../test/reports/reading.ts'
import { veracode } from './reader.ts'

const flaw = (more = '', inside = '') =>
  `<flaw severity="4" categoryname="SQL Injection" issueid="12" module="shop.jar" type="executeQuery" description="It reaches a query." cweid="89" sourcefile="Users.java" line="12" sourcefilepath="src/shop/" ${more}>${inside}</flaw>`

const component = (vulnerability: string) =>
  `<software_composition_analysis><vulnerable_components><component file_name="lib-1.0.jar" version="1.0" library="lib" vendor="org.example"><file_paths><file_path value="shop.war#zip:lib-1.0.jar"/></file_paths><vulnerabilities><vulnerability ${vulnerability}/></vulnerabilities></component></vulnerable_components></software_composition_analysis>`

const report = (flaws: string, kind = 'staticflaws', more = '') =>
  `<?xml version="1.0"?><detailedreport xmlns="https://www.veracode.com/schema/reports/export/1.0" report_format_version="1.5" app_id="77"><severity level="4"><category categoryid="19" categoryname="SQL Injection"><recommendations><para text="Bind it."><bulletitem text="Always."/></para></recommendations><cwe cweid="89" cwename="SQL Injection, as a weakness"><${kind}>${flaws}</${kind}></cwe></category></severity>${more}</detailedreport>`

const OPEN = 'remediation_status="Open" mitigation_status="none"'

describe('a flaw', () => {
  test('of the code is an observation with all that it says', async () => {
    expect(await observationsIn(veracode, report(flaw(OPEN)))).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'Veracode',
        ruleId: 'CWE-89',
        title: 'SQL Injection, as a weakness',
        description: 'It reaches a query.',
        severity: 'HIGH',
        cweIds: [89],
        solution: 'Bind it.\n\nAlways.',
        tags: ['SQL Injection', 'shop.jar'],
        originalIssueIdFromTool: '77:12',
        fileName: 'src/shop/Users.java',
        line: 12,
        sink: 'executeQuery',
      },
    ])
  })

  test('of a running application stands at its address', async () => {
    const found = flaw(`${OPEN} url="https://shop.example.org/a" vuln_parameter="q"`)

    expect(await observationsIn(veracode, report(found, 'dynamicflaws'))).toMatchObject([
      { kind: 'EXCHANGE', type: 'DAST_FINDING', url: 'https://shop.example.org/a', parameters: 'q' },
    ])
  })

  test.each([
    ['Potential False Positive', 'FALSE_POSITIVE'],
    ['Mitigate by Design', 'RISK_ACCEPTED'],
  ])('whose mitigation is accepted is decided: %s', async (action, status) => {
    const steps = `<mitigations><mitigation action="${action}" description="it is bound"/><mitigation action="Mitigation Accepted" description="agreed"/></mitigations>`

    const [observation] = await observationsIn(
      veracode,
      report(flaw('remediation_status="Open" mitigation_status="accepted"', steps)),
    )

    expect(observation).toMatchObject({ decision: { status, reason: `${action}: it is bound` } })
  })

  test('whose mitigation is only proposed is not decided, and one that is fixed is none', async () => {
    const proposed = flaw('remediation_status="Open" mitigation_status="proposed"')

    const rows = await rowsIn(veracode, report(proposed + flaw('remediation_status="Fixed"')))

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION', observation: { decision: undefined } },
      { kind: 'PASSED_OVER', at: 'flaw 2', reason: 'It is fixed' },
    ])
  })
})

test('a vulnerability of a component is an observation of it', async () => {
  const told =
    'cve_id="CVE-2026-1001" cvss_score="7.5" severity="5" cwe_id="CWE-20" cve_summary="It overflows." mitigation="false"'

  expect(await observationsIn(veracode, report('', 'staticflaws', component(told)))).toEqual([
    {
      kind: 'COMPONENT',
      type: 'SCA_FINDING',
      toolName: 'Veracode SCA',
      ruleId: 'CVE-2026-1001',
      title: 'CVE-2026-1001 in lib',
      description: 'It overflows.',
      severity: 'CRITICAL',
      cvssScore: 7.5,
      cweIds: [20],
      vulnerabilityIds: ['CVE-2026-1001'],
      package: 'org.example:lib',
      affectedVersion: '1.0',
      fileName: 'shop.war#zip:lib-1.0.jar',
    },
  ])
})

test('a detailed report is recognised, and the summary is not', () => {
  expect(
    [report(flaw()), '<summaryreport report_format_version="1.5"/>'].map((each) => recognisedBy(veracode, each)),
  ).toEqual([true, false])
})
