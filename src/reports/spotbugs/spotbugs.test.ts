// How the XML of SpotBugs is read.

import { describe, expect, test } from 'vitest'
import { observationsIn, recognisedBy, rowsIn } from '../../../test/reports/reading.ts'
import { spotbugs } from './reader.ts'

const line = (attributes: string) => `<SourceLine classname="shop.Users" sourcefile="Users.java" ${attributes}/>`

const bug = (attributes = 'instanceOccurrenceNum="0" instanceOccurrenceMax="0"', inside = '') =>
  `<BugInstance type="SQL_INJECTION_JDBC" priority="1" rank="5" abbrev="SECSQLIJDBC" category="SECURITY" instanceHash="985986513e805af8" cweid="89" ${attributes}><ShortMessage>Potential JDBC Injection</ShortMessage><LongMessage>executeQuery can be vulnerable</LongMessage><Class classname="shop.Users">${line('start="3" end="40" sourcepath="shop/Users.java"')}</Class>${inside}</BugInstance>`

const PATTERN =
  '<BugPattern type="SQL_INJECTION_JDBC" abbrev="SECSQLIJDBC" category="SECURITY"><ShortDescription>JDBC</ShortDescription><Details>&lt;p&gt;Bind it.&lt;/p&gt;</Details></BugPattern>'

const report = (
  bugs: string,
  directories = ['/builds/shop/api/src/main/java', '/builds/shop/api/target/generated-sources'],
) =>
  `<?xml version="1.0"?><BugCollection version="4.8.6"><Project>${directories.map((each) => `<SrcDir>${each}</SrcDir>`).join('')}</Project>${bugs}${PATTERN}</BugCollection>`

const marked = line('primary="true" start="12" end="12" sourcepath="shop/Users.java"')

describe('a bug', () => {
  test('is an observation with all that is said of it, in the file below the directory of sources', async () => {
    expect(
      await observationsIn(spotbugs, report(bug(undefined, line('start="9" sourcepath="shop/Users.java"') + marked))),
    ).toEqual([
      {
        kind: 'CODE',
        type: 'SAST_FINDING',
        toolName: 'SpotBugs',
        ruleId: 'SQL_INJECTION_JDBC',
        title: 'Potential JDBC Injection',
        description: 'executeQuery can be vulnerable\n\nBind it.',
        severity: 'HIGH',
        cweIds: [89],
        tags: ['SECURITY'],
        fingerprint: '985986513e805af8',
        fileName: 'src/main/java/shop/Users.java',
        line: 12,
      },
    ])
  })

  test('without a line of its own stands where its class begins', async () => {
    expect(await observationsIn(spotbugs, report(bug()))).toMatchObject([{ line: 3 }])
  })

  test('of which there are equal ones in a method is known by its hash less surely', async () => {
    const [observation] = await observationsIn(
      spotbugs,
      report(bug('instanceOccurrenceNum="1" instanceOccurrenceMax="2"')),
    )

    expect(observation).toMatchObject({ partialFingerprint: '985986513e805af8' })
    expect(observation).not.toHaveProperty('fingerprint')
  })

  test.each([
    [[], 'shop/Users.java'],
    [['/a/src/main/java', '/a/src/main/kotlin'], 'shop/Users.java'],
  ])('of sources that lie in %j has the path that SpotBugs writes', async (directories, fileName) => {
    expect(await observationsIn(spotbugs, report(bug(), directories))).toMatchObject([{ fileName }])
  })

  test('whose path from the root is told has that', async () => {
    const told = line(
      'primary="true" start="12" sourcepath="shop/Users.java" relSourcepath="src/main/java/shop/Users.java"',
    )

    expect(await observationsIn(spotbugs, report(bug('', told)))).toMatchObject([
      { fileName: 'src/main/java/shop/Users.java' },
    ])
  })
})

test('what SpotBugs could not look into leaves open what is absent', async () => {
  const error =
    '<Errors errors="1"><AnalysisError><ErrorMessage>Could not read shop.Bad</ErrorMessage></AnalysisError></Errors>'

  expect(await rowsIn(spotbugs, report(error))).toEqual([
    {
      kind: 'LEFT_OUT',
      at: 'AnalysisError 1',
      reason: 'SpotBugs did not read a class: Could not read shop.Bad',
      isUndecided: true,
    },
  ])
})

test('a report of SpotBugs is recognised', () => {
  expect(
    [report(bug()), '<BugCollection/>', '<bugs/>', '{"a":"<BugCollection "}'].map((each) =>
      recognisedBy(spotbugs, each),
    ),
  ).toEqual([true, false, false, false])
})
