// Fetches an address for the vulnerable service: this machine's own, and never one beyond it.
import { Refusal } from './route.ts'

/** At most ten thousand characters, within three seconds. Refused: what does not answer, and every host but the loopback's. */
export async function fetched(address: string): Promise<string> {
  const host = URL.parse(address)?.hostname
  if (host !== '127.0.0.1' && host !== 'localhost') throw new Refusal(502, 'The address did not answer')
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(3000), redirect: 'manual' })
    return (await answer.text()).slice(0, 10_000)
  } catch {
    throw new Refusal(502, 'The address did not answer')
  }
}
