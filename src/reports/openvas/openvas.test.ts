// How what OpenVAS found is read, XML and CSV.

import { describe, expect, test } from 'vitest'
import { observationsIn, recognisedBy, rowsIn } from '../../../test/reports/reading.ts'
import { openvas } from './reader.ts'

const NVT =
  '<nvt oid="1.3.6.1.4.1.25623.1.0.1"><type>nvt</type><name>Old server</name><family>Web</family><severities score="9.8"><severity type="cvss_base_v3"><score>9.8</score><value>CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H</value></severity></severities><tags>summary=It is old.|insight=One of a|b.|impact=It falls.</tags><solution type="VendorFix">Update it.</solution><epss><max_severity><score>0.4</score></max_severity></epss><refs><ref type="cve" id="CVE-2026-1001"/><ref type="url" id="https://example.org/old"/></refs></nvt>'

const result = (more = '<threat>High</threat><severity>9.8</severity>', port = '443/tcp') =>
  `<result id="1"><name>Old server</name><host>192.0.2.10<asset asset_id=""/><hostname>shop.example.org</hostname></host><port>${port}</port>${NVT}<qod><value>80</value></qod><description>Version 1</description>${more}</result>`

const report = (results: string, state = 'Done') =>
  `<report id="1"><report id="2"><gmp><version>22.4</version></gmp><scan_run_status>${state}</scan_run_status><results start="1" max="-1">${results}</results></report></report>`

describe('a result of OpenVAS', () => {
  test('is an observation with all that it says', async () => {
    expect(await observationsIn(openvas, report(result()))).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'OpenVAS',
        ruleId: '1.3.6.1.4.1.25623.1.0.1',
        title: 'Old server',
        description: 'It is old.\n\nVersion 1\n\nOne of a|b.\n\nIt falls.',
        severity: 'CRITICAL',
        cvssScore: 9.8,
        cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        exploitProbability: 0.4,
        vulnerabilityIds: ['CVE-2026-1001'],
        reference: 'https://example.org/old',
        solution: 'Update it.',
        tags: ['Web', 'quality of detection: 80'],
        url: 'tcp://192.0.2.10:443',
        port: 443,
      },
    ])
  })

  test.each([
    ['High', '7.5', 'HIGH'],
    ['Medium', '5.0', 'MEDIUM'],
    ['Log', '0.0', 'NOTIFICATION'],
    ['Alarm', '9.0', 'CRITICAL'],
  ])('of threat %s and %s is %s', async (threat, score, severity) => {
    const found = result(`<threat>${threat}</threat><severity>${score}</severity>`)

    expect(await observationsIn(openvas, report(found))).toMatchObject([{ severity }])
  })

  test('of the whole host has no port, and one that is overridden is a false positive', async () => {
    const found = result('<threat>False Positive</threat><severity>-1.0</severity>', 'general/tcp')

    const [observation] = await observationsIn(openvas, report(found))

    expect(observation).toMatchObject({ url: 'tcp://192.0.2.10', decision: { status: 'FALSE_POSITIVE' } })
    expect(observation).not.toHaveProperty('port')
  })

  test('that is an error of its test says that nobody knows', async () => {
    expect(await rowsIn(openvas, report(result('<threat>Error</threat><severity>-3.0</severity>')))).toMatchObject([
      { kind: 'LEFT_OUT', isUndecided: true },
    ])
  })

  test('is read from CSV as from XML', async () => {
    const header =
      'IP,Hostname,Port,Port Protocol,CVSS,Severity,QoD,Solution Type,NVT Name,Summary,Specific Result,NVT OID,CVEs,Impact,Solution,Vulnerability Insight,Other References,Max Severity EPSS score'
    const row =
      '192.0.2.10,shop.example.org,443,tcp,9.8,High,80,VendorFix,Old server,It is old.,Version 1,1.3.6.1.4.1.25623.1.0.1,CVE-2026-1001,It falls.,Update it.,One of a|b.,https://example.org/old,0.4'
    const [told] = await observationsIn(openvas, report(result()))

    const [read] = await observationsIn(openvas, `${header}\n${row}\n`)

    const { cvssVector: _, tags: __, ...same } = told ?? {}
    expect(read).toEqual({ ...same, tags: ['quality of detection: 80'] })
  })
})

describe('a report of OpenVAS', () => {
  test('of a scan that is not done is cut short', async () => {
    const rows = await rowsIn(openvas, report(result(), 'Stopped'))

    expect(rows).toMatchObject([
      { kind: 'OBSERVATION' },
      { kind: 'TRUNCATED', reason: 'The scan is not done: Stopped' },
    ])
  })

  test('is recognised in the forms that it is handed out in', async () => {
    const bare = `<report id="1" format_id="2"><gmp><version>22.4</version></gmp><results>${result()}</results></report>`
    const answer = `<get_reports_response status="200"><report id="1">${report(result())}</report></get_reports_response>`
    const forms = [report(result()), report(''), bare, answer, 'IP,NVT Name,NVT OID\n', '<report type="security"/>']

    expect(forms.map((each) => recognisedBy(openvas, each))).toEqual([true, true, true, true, true, false])
    expect(await observationsIn(openvas, bare)).toHaveLength(1)
  })
})
