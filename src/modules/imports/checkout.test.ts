// Where a scanner ran, and on which machine: its paths become those of the repository, so that diffs carry what it found.

import { describe, expect, test } from 'vitest'
import { run } from '../../../test/testkit/client.ts'
import {
  countsOf,
  imported,
  newReportHome,
  type ReportHome,
  result,
  rowsOf,
  sarif,
  sendReport,
} from '../../../test/testkit/reports.ts'
import { newDeploy } from '../../../test/testkit/world.ts'

const added = (...files: string[]) =>
  files
    .map(
      (file) =>
        `diff --git a/${file} b/${file}\nnew file mode 100644\n--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,3 @@\n+a\n+b\n+c\n`,
    )
    .join('')

const FILES = ['index.js', 'src/cart.js', 'src/lib/index.js']

async function newDeployed(files = FILES) {
  const home = await newReportHome()
  const { currentCommit } = await newDeploy(home.key, home.assetId, added(...files), { branchName: 'main' })
  return { ...home, currentCommit }
}

const pathsIn = async ({ key, companyId }: ReportHome): Promise<string[]> =>
  (
    await run(
      key,
      'query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 50 }) { collection { identity { places { path } } } } }',
      {
        companyId,
      },
    )
  ).issues.collection
    .flatMap(({ identity }: { identity: { places: { path: string }[] } }) => identity.places.map(({ path }) => path))
    .sort()

const onMain = { branchName: 'main' }

describe('A report of whole paths', () => {
  test('is of the repository’s files where a deploy has told of them, on whatever machine it was made', async () => {
    const home = await newDeployed()
    const reportFrom = (directory: string) => sarif([result(1, {}, `${directory}src/cart.js`, 2)])

    const first = await imported(home, reportFrom('/home/ann/shop/'), onMain)
    const others = [
      await imported(home, reportFrom('/src/'), onMain),
      await imported(home, reportFrom('file:///C:/work/shop/'), onMain),
      await imported(home, reportFrom(''), onMain),
    ]

    expect(countsOf(first)).toEqual({ read: 1, created: 1 })
    expect(others.map(countsOf)).toEqual(others.map(() => ({ read: 1, unchanged: 1 })))
    expect(await pathsIn(home)).toEqual(['src/cart.js'])
  })

  test('is carried by the diffs of later deploys', async () => {
    const home = await newDeployed()
    const whole = (path: string, line: number) => sarif([result(1, {}, `/home/ann/shop/${path}`, line)])
    await imported(home, whole('src/cart.js', 2), onMain)
    const renamed =
      'diff --git a/src/cart.js b/src/basket.js\nsimilarity index 60%\nrename from src/cart.js\nrename to src/basket.js\n--- a/src/cart.js\n+++ b/src/basket.js\n@@ -1,3 +1,5 @@\n+x\n+y\n a\n b\n c\n'
    await newDeploy(home.key, home.assetId, renamed, { ...onMain, previousCommit: home.currentCommit })

    const again = await imported(home, whole('src/basket.js', 4), onMain)

    expect(rowsOf(again, 'UNCHANGED')).toMatchObject([{ matchedBy: 'PLACE' }])
    expect(countsOf(again)).toEqual({ read: 1, unchanged: 1 })
  })

  test('is told by a later row where a first one could be of several files', async () => {
    const home = await newDeployed()
    const found = ['/ci/build/index.js', '/ci/build/src/cart.js', '/ci/build/src/lib/index.js']

    await imported(home, sarif(found.map((path, index) => result(index + 1, {}, path, 2))), onMain)

    expect(await pathsIn(home)).toEqual(FILES)
  })

  test('keeps them where nothing tells of the repository, and where findings are known by them already', async () => {
    const home = await newReportHome()
    const report = sarif([result(1, {}, '/home/ann/shop/src/cart.js', 2)])

    await imported(home, report, onMain)
    await newDeploy(home.key, home.assetId, added(...FILES), onMain)
    const again = await imported(home, report, onMain)

    expect(countsOf(again)).toEqual({ read: 1, unchanged: 1 })
    expect(new Set(await pathsIn(home))).toEqual(new Set(['/home/ann/shop/src/cart.js']))
  })

  test('says of another’s file nothing of where the repository is', async () => {
    const home = await newDeployed()

    await imported(home, sarif([result(1, {}, '/home/ann/shop/node_modules/x/src/cart.js', 2)]), onMain)

    expect(await pathsIn(home)).toEqual(['/home/ann/shop/node_modules/x/src/cart.js'])
  })

  test('of an image is of the image’s own files, whatever is told of the repository, as before anything was', async () => {
    const home = await newReportHome()
    const Secrets = [{ RuleID: 'a-key', Title: 'A key', Severity: 'HIGH', StartLine: 2, Match: 'key = ****' }]
    const Results = [{ Target: '/app/src/cart.js', Class: 'secret', Secrets }]
    const image = { SchemaVersion: 2, ArtifactName: 'shop:1.2', ArtifactType: 'container_image', Results }
    const report = JSON.stringify(image)

    await imported(home, report, onMain)
    await newDeploy(home.key, home.assetId, added(...FILES), onMain)
    const again = [
      await imported(home, report, onMain),
      await imported(home, report, { ...onMain, checkoutPath: '/app', directory: 'services/api' }),
    ]

    expect(again.map(countsOf)).toEqual(again.map(() => ({ read: 1, unchanged: 1 })))
    expect(new Set(await pathsIn(home))).toEqual(new Set(['app/src/cart.js']))
  })

  test('learns nothing from the files of another asset', async () => {
    const [home, other] = [await newReportHome(), await newDeployed()]

    await imported(home, sarif([result(1, {}, '/home/ann/shop/src/cart.js', 2)]), onMain)

    expect(await pathsIn(home)).toEqual(['/home/ann/shop/src/cart.js'])
    expect(await pathsIn(other)).toEqual([])
  })
})

describe('Where the scanner ran', () => {
  test('may be said: the checkout that paths are below, and the directory that the others begin in', async () => {
    const home = await newReportHome()
    const paths = ['/app/src/a.js', 'src/b.js', 'services/api/src/c.js', './d.js', '/usr/include/e.h', '../web/f.js']

    await imported(home, sarif(paths.map((path, index) => result(index + 1, {}, path))), {
      checkoutPath: '/app',
      directory: './services/api/',
    })

    expect(await pathsIn(home)).toEqual([
      '/usr/include/e.h',
      'services/api/d.js',
      'services/api/src/b.js',
      'services/api/src/c.js',
      'services/web/f.js',
      'src/a.js',
    ])
  })

  test('holds for each step of a data flow as for its ends', async () => {
    const home = await newReportHome()
    const at = (uri: string, startLine: number) => ({
      location: { physicalLocation: { artifactLocation: { uri }, region: { startLine } } },
    })
    const codeFlows = [{ threadFlows: [{ locations: [at('/app/src/in.js', 3), at('/app/src/a.js', 9)] }] }]

    await imported(home, sarif([result(1, { codeFlows }, '/app/src/a.js', 9)]), { checkoutPath: '/app/' })
    const { issues } = await run(
      home.key,
      'query ($companyId: ID!) { issues(companyId: $companyId, pagination: {}) { collection { ... on SastFinding { detail { source sink flow { path } } } } } }',
      { companyId: home.companyId },
    )

    expect(issues.collection).toEqual([
      { detail: { source: 'src/in.js:3', sink: 'src/a.js:9', flow: [{ path: 'src/in.js' }, { path: 'src/a.js' }] } },
    ])
  })

  test.each([
    ['checkoutPath', 'shop/src'],
    ['checkoutPath', `/${'a'.repeat(500)}`],
    ['directory', '/services/api'],
    ['directory', 'services/../../other'],
    ['directory', 'C:\\services'],
  ])('is refused as %s %.20s', async (member, value) => {
    const home = await newReportHome()

    const { errors } = await sendReport(home, sarif([result(1)]), { [member]: value })

    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', argument: `input.${member}` } }])
  })
})
