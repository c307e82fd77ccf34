// How the XML of Checkmarx is read.

import { describe, expect, test } from 'vitest'
import { observationsIn, recognisedBy, rowsIn, textsIn } from '../../../test/reports/reading.ts'
import { checkmarx } from './reader.ts'

const node = (file: string, line: number, name: string, code: string) =>
  `<PathNode><FileName>${file}</FileName><Line>${line}</Line><Column>3</Column><Name>${name}</Name><Snippet><Line><Number>${line}</Number><Code>${code}</Code></Line></Snippet></PathNode>`

const path = (...nodes: string[]) => `<Path ResultId="1" PathId="4" SimilarityId="-157">${nodes.join('')}</Path>`

const flow = path(
  node('src/Users.java', 39, 'getParameter', '  String name = get(&quot;name&quot;);'),
  node('src/Store.java', 7, 'executeQuery', 'run(name);'),
)

const result = (attributes = '', inside = flow) =>
  `<Result NodeId="1" FileName="src/Users.java" Line="39" Column="12" DeepLink="https://checkmarx.example.org/1" ${attributes}>${inside}</Result>`

const report = (results: string, query = 'cweId="89" name="SQL_Injection"') =>
  `<?xml version="1.0" encoding="utf-8"?><CxXMLResults ProjectName="shop"><Query id="595" group="Java_High_Risk" Severity="High" Language="Java" QueryPath="Java\\Cx\\SQL Injection" ${query}>${results}</Query></CxXMLResults>`

const USUAL = 'Status="New" FalsePositive="False" Severity="Medium" state="0" Remark=""'

describe('a result of Checkmarx', () => {
  test('is an observation with the way that data takes', async () => {
    expect(await observationsIn(checkmarx, report(result(USUAL)))).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'Checkmarx',
        ruleId: 'SQL_Injection',
        title: 'SQL Injection',
        description: 'SQL Injection\n\nJava\\Cx\\SQL Injection\n\nFrom getParameter to executeQuery',
        severity: 'MEDIUM',
        cweIds: [89],
        reference: 'https://checkmarx.example.org/1',
        tags: ['Java', 'Java_High_Risk'],
        fingerprint: 'SQL_Injection:-157',
        fileName: 'src/Users.java',
        line: 39,
        column: 12,
        codeSnippet: 'String name = get("name");',
        firstLine: 39,
        source: 'src/Users.java:39',
        sink: 'src/Store.java:7',
        flow: [
          { path: 'src/Users.java', line: 39, text: 'String name = get("name");' },
          { path: 'src/Store.java', line: 7, text: 'run(name);' },
        ],
      },
    ])
  })

  test.each([
    ['state="1" FalsePositive="False" Remark="only staff"', 'only staff'],
    ['state="0" FalsePositive="True" Remark=""', 'It is marked as not exploitable in Checkmarx.'],
  ])('that a person called not exploitable is a false positive: %s', async (attributes, reason) => {
    const [observation] = await observationsIn(checkmarx, report(result(`Status="New" Severity="High" ${attributes}`)))

    expect(observation).toMatchObject({ decision: { status: 'FALSE_POSITIVE', reason } })
  })

  test('that is fixed is none, and one that a person confirmed says so', async () => {
    const rows = await rowsIn(
      checkmarx,
      report(result('Status="Fixed" state="0"') + result('Status="Recurrent" state="2" Severity="High"')),
    )

    expect(rows).toMatchObject([
      { kind: 'PASSED_OVER', at: 'Result 1' },
      { kind: 'OBSERVATION', observation: { tags: ['Java', 'Java_High_Risk', 'confirmed'] } },
    ])
  })

  test('that is a password does not keep it', async () => {
    const inside = path(node('src/Login.java', 3, 'password', 'password = &quot;correct-horse-battery&quot;;'))

    const rows = await rowsIn(checkmarx, report(result(USUAL, inside), 'cweId="798" name="Hardcoded_Password"'))

    expect(rows).toHaveLength(1)
    expect(textsIn(rows).filter((text) => text.includes('correct-horse'))).toEqual([])
  })
})

test('a report of Checkmarx is recognised, also with a byte order mark, and one without results is clean', async () => {
  expect([report(''), `\uFEFF${report('')}`, '<CxOther/>'].map((each) => recognisedBy(checkmarx, each))).toEqual([
    true,
    true,
    false,
  ])
  expect(await rowsIn(checkmarx, report(''))).toEqual([])
})
