// A stop answers every accepted request within the grace period, and then closes the connections.

import { existsSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Data, unique } from './client.ts'
import { spread } from './figures.ts'
import { newPlace, type Place, type Server, startCommand, startServer } from './server.ts'

type DrainResult = { faults: string[]; times: number[]; answered: number }

type Answered = { status: number; connection: string | undefined; body: Data }

/** The number of requests in flight when the signal arrives. */
const IN_FLIGHT = 50

export async function stopUnderLoad(rounds: number): Promise<DrainResult> {
  const place = await newPlace()
  const result: DrainResult = { faults: [], times: [], answered: 0 }
  try {
    for (let round = 0; round < rounds; round += 1) {
      const server = await startServer(place)
      await stopOnce(server, round % 2 === 0 ? 'SIGTERM' : 'SIGINT', result)
    }
  } finally {
    await place.remove()
  }
  return result
}

async function stopOnce(server: Server, signal: NodeJS.Signals, result: DrainResult): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  await Promise.all(Array.from({ length: IN_FLIGHT }, () => createCompany(server, agent)))
  const flying = Array.from({ length: IN_FLIGHT }, () => createCompany(server, agent).catch((error: Error) => error))
  await delay(Math.random() * 30)
  const began = performance.now()
  const end = server.end(signal)
  // A second signal must not cut short the stop that the first one began.
  setTimeout(() => server.child.kill(signal), 20)
  for (const answer of await Promise.all(flying)) {
    if (answer instanceof Error) result.faults.push(`A request in flight was cut: ${answer.message}`)
    else if (answer.body.errors) result.faults.push(`A request in flight failed: ${JSON.stringify(answer.body.errors)}`)
    else result.answered += 1
  }
  const { code, signal: endedBy } = await end
  const took = performance.now() - began
  result.times.push(took)
  if (code !== 0) result.faults.push(`${signal} ended the process with ${code ?? endedBy}`)
  if (took > 10_000) result.faults.push(`${signal} took ${took} ms`)
  agent.destroy()
}

function createCompany(server: Server, agent: Agent): Promise<Answered> {
  return send(server, agent, {
    query: 'mutation ($label: String!) { createCompany(input: { label: $label }) { company { id } } }',
    variables: { label: unique('Drained') },
  })
}

function send(server: Server, agent: Agent, body: unknown): Promise<Answered> {
  const headers = { 'content-type': 'application/json', 'x-api-key': server.key }
  return new Promise((resolve, reject) => {
    const sending = httpRequest(`${server.url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body: JSON.parse(text) }),
      )
    })
    sending.on('error', reject)
    sending.end(JSON.stringify(body))
  })
}

type Connections = { before: string | undefined; after: string | undefined }

/** in milliseconds: after a signal, a kept connection that asks nothing for so long is closed (`LINGER` of src/app.ts) */
const LINGER = 200

/**
 * The `connection` headers of an answer before and of one during the stop, which must tell the caller to close a
 * kept-alive connection.
 */
export async function closesKeptConnections(place: Place): Promise<Connections> {
  for (;;) {
    const asked = await askWhileStopping(place)
    if (asked !== null) return asked
  }
}

/** Null if this process or the service paused for so long that the connection was closed as one that asks nothing. */
async function askWhileStopping(place: Place): Promise<Connections | null> {
  const server = await startServer(place)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { connection: before } = await createCompany(server, agent)
  const end = server.end('SIGTERM')
  let after = before
  let answeredAt = performance.now()
  try {
    // until the service has received the signal, it answers as before
    while (after !== 'close') {
      after = (await createCompany(server, agent)).connection
      answeredAt = performance.now()
    }
    return { before, after }
  } catch (error) {
    if (performance.now() - answeredAt < LINGER) throw error
    return null
  } finally {
    await end
    agent.destroy()
  }
}

/**
 * Locks rows that a request needs, so that it takes longer than the grace period; resolves to how and when the process
 * ended.
 */
async function stopWhileOneHangs(place: Place): Promise<{ code: number | null; took: number; wasCut: boolean }> {
  const environment = { MERLON_STATEMENT_TIMEOUT_MS: '60000', MERLON_REQUEST_TIMEOUT_MS: '60000' }
  const server = await startServer(place, { environment })
  const client = await place.connect()
  await client.query('begin')
  await client.query('lock table company in access exclusive mode')
  const agent = new Agent()
  const hanging = createCompany(server, agent).then(
    () => false,
    () => true,
  )
  await delay(300)
  const began = performance.now()
  const { code } = await server.end('SIGTERM')
  const took = performance.now() - began
  await client.end().catch(() => {})
  return { code, took, wasCut: await hanging }
}

/** Stops a first start at random moments, `rounds` times: it ends with 0 and leaves no database running. */
export async function stopWhileStarting(rounds: number): Promise<string[]> {
  const faults: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const place = await newPlace()
    const starting = startCommand(['serve'], { ...place.environment, PORT: '0', LOG_LEVEL: 'warn' })
    // An earlier signal would reach Node before our code, with nothing to stop yet.
    await until(() => existsSync(join(place.data, 'serve.lock')) || !place.isEmbedded)
    await delay(Math.random() * 2_000)
    starting.child.kill('SIGTERM')
    const { code, signal, err } = await starting.ended
    if (place.isEmbedded && code !== 0) faults.push(`A start that was stopped ended with ${code ?? signal}: ${err}`)
    const isLeft = await place.connect().then(
      (client) => client.end().then(() => place.isEmbedded),
      () => false,
    )
    if (isLeft) faults.push('A database was left running')
    await place.remove()
  }
  return faults
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(5)
}

export async function run(rounds: number): Promise<string[]> {
  const { faults, times, answered } = await stopUnderLoad(rounds)
  const place = await newPlace()
  const { before, after } = await closesKeptConnections(place)
  if (before !== 'keep-alive' || after !== 'close') faults.push(`Connection was ${before}, and ${after} while stopping`)
  const hung = await stopWhileOneHangs(place)
  if (hung.code !== 0 || !hung.wasCut || hung.took < 9_500 || hung.took > 14_000) {
    faults.push(`With a request that hangs: ${JSON.stringify(hung)}`)
  }
  await place.remove()
  console.log(
    `${rounds} stops with ${IN_FLIGHT} in flight: ${answered} answered, ${faults.length} faults; ${spread(times)}`,
  )
  console.log(`with a request that hangs the process ended with ${hung.code} after ${Math.round(hung.took)} ms`)
  console.log(`${rounds} first starts were stopped on their way`)
  return faults
}
