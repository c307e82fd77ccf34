// How Nessus' exports are read: XML of the network and the web scanner, and three kinds of CSV.

import { describe, expect, test } from 'vitest'
import { observationsIn, recognisedBy, rowsIn } from '../../../test/reports/reading.ts'
import { tenable } from './reader.ts'

const VECTOR = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'

const item = (
  more = '',
  attributes = 'port="443" svc_name="www" protocol="tcp" severity="3" pluginID="1001" pluginName="Example overflow" pluginFamily="Web Servers"',
) =>
  `<ReportItem ${attributes}><synopsis>Too old.</synopsis><description>It overflows.</description><solution>Update it.</solution><see_also>https://example.org/a</see_also>${more}</ReportItem>`

const xml = (items: string) =>
  `<?xml version="1.0" ?><NessusClientData_v2><Report name="shop"><ReportHost name="192.0.2.1"><HostProperties><tag name="host-fqdn">shop.example.org</tag></HostProperties>${items}</ReportHost></Report></NessusClientData_v2>`

const HEADER =
  'Plugin ID,CVE,CVSS v2.0 Base Score,Risk,Host,Protocol,Port,Name,Synopsis,Description,Solution,See Also,Plugin Output,CVSS v3.0 Base Score,EPSS Score'

describe('an item of XML', () => {
  test('is an observation with all that it says', async () => {
    const more = `<cve>CVE-2026-1001</cve><cve>CVE-2026-1002</cve><cwe>787</cwe><cvss3_base_score>9.8</cvss3_base_score><cvss3_vector>${VECTOR}</cvss3_vector><epss_score>0.5</epss_score><plugin_output>Version 1.0</plugin_output>`

    const observations = await observationsIn(tenable, xml(item(more)))

    expect(observations).toEqual([
      {
        kind: 'EXCHANGE',
        type: 'DAST_FINDING',
        toolName: 'Nessus',
        ruleId: '1001',
        title: 'Example overflow',
        description: 'Too old.\n\nIt overflows.\n\nVersion 1.0',
        severity: 'HIGH',
        cvssScore: 9.8,
        cvssVector: VECTOR,
        exploitProbability: 0.5,
        cweIds: [787],
        vulnerabilityIds: ['CVE-2026-1001', 'CVE-2026-1002'],
        reference: 'https://example.org/a',
        solution: 'Update it.',
        tags: ['Web Servers'],
        url: 'http://192.0.2.1:443',
        port: 443,
      },
    ])
  })

  test('of the web scanner has its exchange, without credentials', async () => {
    const more =
      '<uri>https://shop.example.org/a</uri><request_method>GET</request_method><input_name>q</input_name><proof>Proven.</proof><http_request>GET /a HTTP/1.1\nCookie: a=abcdef0123456789</http_request>'

    const observations = await observationsIn(tenable, xml(item(more)))

    expect(observations).toMatchObject([
      {
        url: 'https://shop.example.org/a',
        method: 'GET',
        parameters: 'q',
        request: 'GET /a HTTP/1.1\nCookie: a=*****',
      },
    ])
  })

  test('of a check of compliance is a finding of its own, unless it passed', async () => {
    const check = (result: string) =>
      `<cm:compliance-result>${result}</cm:compliance-result><cm:compliance-check-name>1.1 Passwords</cm:compliance-check-name><cm:compliance-check-id>c1</cm:compliance-check-id><cm:compliance-solution>Set it.</cm:compliance-solution>`

    const observations = await observationsIn(
      tenable,
      xml(item(check('PASSED')) + item(check('FAILED'))).replace('<Report ', '<Report xmlns:cm="urn:cm" '),
    )

    expect(observations).toMatchObject([{ ruleId: '1001:c1', title: '1.1 Passwords', solution: 'Set it.' }])
  })

  test('without a plugin is left out, and the others come through', async () => {
    const rows = await rowsIn(tenable, xml(item('', 'port="1"') + item()))

    expect(rows).toMatchObject([
      { kind: 'LEFT_OUT', at: 'item 1 of 192.0.2.1', reason: 'It names no plugin' },
      { kind: 'OBSERVATION', at: 'item 2 of 192.0.2.1' },
    ])
  })
})

describe('a row of CSV', () => {
  test('is an observation', async () => {
    const row =
      '1001,CVE-2026-1001,7.5,Critical,192.0.2.1,tcp,443,Example overflow,Too old.,"It\noverflows.",n/a,https://example.org/a,Version 1.0,9.8,0.5'

    const observations = await observationsIn(tenable, `${HEADER}\n${row}\n`)

    expect(observations).toMatchObject([
      {
        ruleId: '1001',
        severity: 'CRITICAL',
        cvssScore: 9.8,
        exploitProbability: 0.5,
        url: 'tcp://192.0.2.1:443',
        port: 443,
        description: 'Too old.\n\nIt\noverflows.\n\nVersion 1.0',
        vulnerabilityIds: ['CVE-2026-1001'],
      },
    ])
    expect(observations[0]).not.toHaveProperty('solution')
  })

  test('of the cloud product is one, with its own id and the risk that was accepted; a fixed one is left out', async () => {
    const header =
      'id,state,severity,definition.id,definition.name,definition.cve,definition.cvss3.base_score,definition.cvss3.base_vector,asset.name,port,protocol,risk_modified'
    const cells = (id: string, state: string) =>
      `${id},${state},High,1001,Example overflow,"CVE-2026-1001, CVE-2026-1002",9.8,AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H,shop.example.org,443,TCP,ACCEPTED`

    const rows = await rowsIn(tenable, `${header}\n${cells('a', 'ACTIVE')}\n${cells('b', 'FIXED')}\n`)

    expect(rows).toMatchObject([
      {
        kind: 'OBSERVATION',
        observation: {
          originalIssueIdFromTool: 'a',
          ruleId: '1001',
          severity: 'HIGH',
          cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
          vulnerabilityIds: ['CVE-2026-1001', 'CVE-2026-1002'],
          url: 'tcp://shop.example.org:443',
          decision: { status: 'RISK_ACCEPTED' },
        },
      },
      { kind: 'PASSED_OVER', at: 'row 3', reason: 'It is fixed' },
    ])
  })

  test('of Security Center is one', async () => {
    const observations = await observationsIn(
      tenable,
      '"Plugin","Plugin Name","Severity","IP Address","Port"\n"1","Example","Low","192.0.2.1","80"\n',
    )

    expect(observations).toMatchObject([{ ruleId: '1', title: 'Example', severity: 'LOW' }])
  })

  test('without a plugin, or with too many values, is left out', async () => {
    const rows = await rowsIn(tenable, `${HEADER}\n,A title,,\n${'x,'.repeat(30)}\n1001,,,Low,a,tcp,1,Name\n`)

    expect(rows.map((row) => ('reason' in row ? row.reason : row.kind))).toEqual([
      'It names no plugin',
      'It has 31 values under 15 names',
      'OBSERVATION',
    ])
  })
})

describe('an export of Nessus', () => {
  test('is recognised', () => {
    expect(
      [xml(''), HEADER, 'id,definition.id,definition.name', 'Name,Host'].map((each) => recognisedBy(tenable, each)),
    ).toEqual([true, true, true, false])
  })

  test.each([
    ['XML', xml(item() + item()).slice(0, -200)],
    ['CSV', `${HEADER}\n1,,,Low,a,tcp,1,Name,,,,,,,\n2,,,Low,a,tcp`],
    ['CSV within quotes', `${HEADER}\n1,,,Low,a,tcp,1,Name,,,,,,,\n2,,,Low,a,tcp,1,"Na`],
  ])('of %s that breaks off gives what came before', async (_, report) => {
    const rows = await rowsIn(tenable, report)

    expect(rows.map(({ kind }) => kind)).toEqual(['OBSERVATION', 'TRUNCATED'])
  })
})
