// The control of the page benchmark: node:http, pg, one prepared statement, JSON.stringify.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

const { connection, companyId } = JSON.parse(process.env.BENCH_FACTS ?? '{}')
const pool = new pg.Pool({ ...connection, max: 10, options: '-c TimeZone=UTC' })

const STATEMENT = `
  select i.id, i.title, i.description, i.status, i.type, i.severity, i.category,
         to_char(i.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
         to_char(i.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "updatedAt", a.id as asset_id, a.name as asset_name
  from issue i join asset a on a.company_id = i.company_id and a.id = i.asset_id
  where i.company_id = $1 order by i.id desc limit 50`

type Row = Record<string, unknown> & { asset_id: string; asset_name: string }

const server = createServer((request, response) => {
  request.resume()
  request.on('end', async () => {
    const { rows } = await pool.query<Row>({ name: 'page', text: STATEMENT, values: [companyId] })
    const collection = rows.map(({ asset_id, asset_name, ...issue }) => ({
      ...issue,
      asset: { id: asset_id, name: asset_name },
    }))
    const metadata = { currentPage: 1, limitValue: 50, totalCount: 100_000, totalPages: 2000 }
    const body = JSON.stringify({
      data: { issues: { collection, metadata } },
      extensions: { requestId: 'aaaaaaaaaaaaaaaa', cost: 660 },
    })
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`))
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  pool.end()
})
