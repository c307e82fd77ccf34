// `merlon login`: stores an address and a key for later commands, once the service has accepted them.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { replaceFile } from '../../core/private-file.ts'
import { credentialsFile, invalidKey, Refused, request } from '../client.ts'
import { say } from '../output.ts'
import { WrongUse } from '../wrong-use.ts'

export function login(command: Command): void {
  command
    .option('--url <address>', 'address of the service', process.env.MERLON_URL || 'http://127.0.0.1:4000')
    .option('--key <key>', 'your API key; asked for if it is not given')
    .action(async (options: { url: string; key?: string }) => {
      const key = options.key ?? process.env.MERLON_API_KEY ?? (await askForKey())
      process.env.MERLON_URL = options.url
      process.env.MERLON_API_KEY = key
      const { viewer } = await request('{ viewer { name email } }').catch((error) => {
        if (!(error instanceof Refused) || error.code !== 'UNAUTHENTICATED') throw error
        throw new Refused(invalidKey('The key', options.url), error.code)
      })
      await mkdir(dirname(credentialsFile()), { recursive: true, mode: 0o700 })
      await replaceFile(credentialsFile(), `${JSON.stringify({ url: options.url, key })}\n`)
      say(`Logged in at ${options.url} as ${viewer.name} (${viewer.email})`)
    })
}

async function askForKey(): Promise<string> {
  if (!process.stdin.isTTY) throw new WrongUse('No key: give --key or MERLON_API_KEY')
  const line = createInterface({ input: process.stdin, output: process.stderr })
  const key = await line.question('Key: ')
  line.close()
  return key.trim()
}
