// The vulnerable service put together: its areas, the list of its flaws, and its start with some of them on.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auth } from './areas/auth.ts'
import { counter } from './areas/counter.ts'
import { desk } from './areas/desk.ts'
import { forms } from './areas/forms.ts'
import { graphql } from './areas/graphql.ts'
import { lobby } from './areas/lobby.ts'
import { office } from './areas/office.ts'
import { pages } from './areas/pages.ts'
import { parcels } from './areas/parcels.ts'
import { drafts } from './areas/rest-drafts.ts'
import { files } from './areas/rest-files.ts'
import { members } from './areas/rest-members.ts'
import { orders } from './areas/rest-orders.ts'
import { tools } from './areas/rest-tools.ts'
import { users } from './areas/rest-users.ts'
import { shelf } from './areas/shelf.ts'
import { soap } from './areas/soap.ts'
import { till } from './areas/till.ts'
import type { Flaw } from './flaw.ts'
import { describe } from './openapi.ts'
import { type Area, json } from './route.ts'
import { flaws as general, type Service, startService } from './server.ts'
import { makeState } from './state.ts'

const areas: Area[] = [
  auth,
  users,
  members,
  drafts,
  orders,
  tools,
  files,
  graphql,
  soap,
  forms,
  pages,
  desk,
  counter,
  parcels,
  till,
  shelf,
  office,
  lobby,
]

/** Everything that is wrong with the service when all is switched on. */
export const flaws: Flaw[] = [
  ...general,
  {
    id: 'open:GET /openapi.json',
    cwe: 538,
    operation: '*',
    shows: 'the description is handed out to everybody',
    said: /openapi/,
  },
  ...areas.flatMap((area) => area.flaws),
]

/** Starts the service in `folder`, which is its to write in, with the flaws of these ids. */
export async function start(folder: string, on: readonly string[]): Promise<Service> {
  const switched = new Set(on)
  const documents = join(folder, 'documents')
  mkdirSync(documents, { recursive: true })
  mkdirSync(join(folder, 'static'), { recursive: true })
  writeFileSync(join(documents, 'terms.txt'), 'Goods are paid for before they are sent.\n')
  const papers = join(folder, 'papers')
  mkdirSync(papers, { recursive: true })
  writeFileSync(join(papers, 'customs.txt'), 'Say what is in the parcel.\n')
  writeFileSync(join(papers, '.env'), 'APP_ENV=production\nDB_PASSWORD=sunflower-field-43\n')
  writeFileSync(join(documents, 'guide.txt'), 'Fill the kettle, and wait.\n')

  const description: Area = {
    flaws: [],
    routes: [
      { method: 'GET', path: '/openapi.json', access: 'user', handle: ({ url }) => json(describe(areas, url.origin)) },
    ],
  }
  return startService(
    [description, ...areas],
    (id) => switched.has(id),
    () => makeState(documents),
  )
}
