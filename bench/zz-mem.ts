// @ts-nocheck
import { writeFileSync, readFileSync } from 'node:fs'
import { openInstallation, residentMemory } from './installation.ts'
const inst = await openInstallation(1000, { hasWorker: process.env.WORKER === '1' })
const BIG = readFileSync('/tmp/deploy/big.diff')
const part = (n, c) => `--B\r\ncontent-disposition: form-data; ${n}\r\n\r\n${c}\r\n`
async function deploy(bytes) {
  const commit = () => Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
  const query = `mutation ($input: CreateDeployInput!) { createDeploy(input: $input) { deploy { id diffState files } } }`
  const input = { assetId: inst.assetIds[1], branchName: 'bench', previousCommit: commit(), currentCommit: commit(), diffContent: null }
  const body = Buffer.concat([Buffer.from(part('name="operations"', JSON.stringify({ query, variables: { input } })) + part('name="map"', JSON.stringify({ 0: ['variables.input.diffContent'] })) + part('name="0"; filename="x"', '').slice(0, -2)), bytes, Buffer.from('\r\n--B--\r\n')])
  const r = await fetch(`http://127.0.0.1:${inst.port}/graphql`, { method: 'POST', headers: { 'x-api-key': inst.key, 'content-type': 'multipart/form-data; boundary=B' }, body })
  await r.text()
}
const say = async (w) => console.log(w, (await residentMemory(inst.pid)).toFixed(0), readFileSync(`/proc/${inst.pid}/smaps_rollup`, 'utf8').match(/(Rss|Pss_Anon|Pss_File|Pss_Shmem):\s+\d+/g).map((x) => x.replace(/:\s+/, ' ').replace(/(\d+)/, (m) => Math.round(m / 1024))).join(', '))
const sizes = [200e3, 200e3, 200e3, 2e6, 2e6, 2e6, 20e6, 20e6, 104e6, 104e6, 104e6, 104e6]
await say('start')
for (const s of sizes) { await deploy(BIG.subarray(0, s)); await say(String(s)) }
await new Promise((r) => setTimeout(r, 3000)); await say('later')
await inst.stop(); process.exit(0)
