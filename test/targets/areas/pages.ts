// Pages that say too much, load what they should not, or lie about where nobody should look; and the page that is a script.
import { type Area, type Call, page, plain, Refusal } from '../route.ts'

const links = [
  '/search?q=teapot',
  '/greet?name=carol',
  '/track?code=A1',
  '/notes',
  '/signin',
  '/go?to=/notes',
  '/leave?next=/notes',
]
const more = [
  '/lang?code=en',
  '/forgot',
  '/help',
  '/files/',
  '/legacy',
  '/basket',
  '/app',
  '/wallet',
  '/intranet',
  '/account',
  '/counter',
  '/desk',
  '/parcels',
  '/till',
  '/shelf',
  '/office',
  '/lobby',
]

const start = ({ on }: Call) => {
  const basket = on('session-in-address') ? '/basket?sessionid=9f2c4e7ab1d05386cc21' : '/basket'
  const shown = [...links, ...more.map((link) => (link === '/basket' ? basket : link))]
  return page(
    'Shop',
    `<h1>The shop</h1><ul>${shown.map((link) => `<li><a href="${link}">${link}</a></li>`).join('')}</ul>`,
  )
}

/** A hidden file: there where its flaw is on, and nowhere otherwise. */
const hidden = (flaw: string, path: string, body: string) => ({
  method: 'GET',
  path,
  handle: ({ on }: Call) => {
    if (!on(flaw)) throw new Refusal(404, 'Not found')
    return plain(body)
  },
})

const JAVA = `rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAx3CAAAABAAAAABdAABYXQAAWJ4`

export const pages: Area = {
  flaws: [
    { id: 'help-comment', cwe: 615, operation: 'GET /help', shows: 'a comment has what was not meant for readers' },
    {
      id: 'help-private-address',
      cwe: 497,
      operation: 'GET /help',
      shows: 'a private address is named',
      said: /private|internal|address/i,
    },
    { id: 'card-shown', cwe: 359, operation: 'GET /wallet', shows: 'a whole card number is shown' },
    { id: 'listing', cwe: 548, operation: 'GET /files/', shows: 'a folder is listed' },
    { id: 'source-shown', cwe: 540, operation: 'GET /files/checkout.php', shows: 'source code is answered' },
    { id: 'old-library', cwe: 1395, operation: 'GET /legacy', shows: 'a library with known flaws is loaded' },
    { id: 'foreign-script', cwe: 829, operation: 'GET /legacy', shows: 'a script of another site is loaded' },
    {
      id: 'unpinned-script',
      cwe: 345,
      operation: 'GET /legacy',
      shows: 'a script of another site is not pinned by its hash',
    },
    { id: 'session-in-address', cwe: 598, operation: 'GET /basket', shows: 'the session stands in the address' },
    {
      id: 'state-serialized',
      cwe: 502,
      operation: 'GET /legacy',
      shows: 'a serialised Java object goes through the page',
    },
    {
      id: 'basic-over-http',
      cwe: 287,
      operation: 'GET /intranet',
      shows: 'passwords are asked for without encryption',
    },
    { id: 'git-folder', cwe: 538, operation: '*', shows: 'the folder of version control is served', said: /git/i },
    {
      id: 'environment-file',
      cwe: 538,
      operation: '*',
      shows: 'the file of environment variables is served',
      said: /\.env/i,
    },
    {
      id: 'fragment-script',
      cwe: 79,
      operation: 'GET /app',
      shows: 'markup in the fragment of the address is run',
      needs: 'browser',
    },
  ],
  routes: [
    { method: 'GET', path: '/', handle: start },
    {
      method: 'GET',
      path: '/help',
      handle: ({ on }) =>
        page(
          'Help',
          `<p>Write to us.</p>${on('help-comment') ? '<!-- the admin password is Sunflower42, remove this before the release: bug 118 -->' : ''}
           ${on('help-private-address') ? '<p>Served by 10.20.30.41</p>' : ''}`,
        ),
    },
    {
      method: 'GET',
      path: '/wallet',
      handle: ({ on }) => page('Wallet', `<p>Card ${on('card-shown') ? '4539578763621486' : 'ending in 1486'}</p>`),
    },
    {
      method: 'GET',
      path: '/files/',
      handle: ({ on }) => {
        if (!on('listing')) throw new Refusal(403, 'Not for you')
        return page(
          'Index of /files/',
          '<h1>Index of /files/</h1><a href="../">Parent Directory</a> <a href="checkout.php">checkout.php</a>',
        )
      },
    },
    {
      method: 'GET',
      path: '/files/checkout.php',
      handle: ({ on }) => {
        if (!on('source-shown')) throw new Refusal(403, 'Not for you')
        return plain(
          "<?php\n$total = $_GET['total'];\nrequire_once('database.php');\necho htmlspecialchars($total);\n?>\n",
        )
      },
    },
    {
      method: 'GET',
      path: '/legacy',
      handle: ({ on }) =>
        page(
          'Old page',
          `${on('old-library') ? '<script src="/assets/jquery-1.8.1.min.js"></script>' : ''}
           ${on('foreign-script') ? `<script src="https://cdn.other.example/lib.js"${on('unpinned-script') ? '' : ' integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC" crossorigin="anonymous"'}></script>` : ''}
           ${on('state-serialized') ? `<input type="hidden" name="state" value="${JAVA}">` : ''}<p>Old</p>`,
        ),
    },
    {
      method: 'GET',
      path: '/assets/{name}',
      handle: ({ on, params }) => {
        if (params.name !== 'jquery-1.8.1.min.js' || !on('old-library')) throw new Refusal(404, 'Not found')
        return {
          headers: { 'content-type': 'text/javascript' },
          body: '/*! jQuery v1.8.1 jquery.com | jquery.org/license */\n',
        }
      },
    },
    { method: 'GET', path: '/basket', handle: () => page('Basket', '<p>Empty</p>') },
    {
      method: 'GET',
      path: '/intranet',
      handle: ({ on }) =>
        page(
          'Intranet',
          '<p>Sign in</p>',
          on('basic-over-http') ? 401 : 403,
          on('basic-over-http') ? { 'www-authenticate': 'Basic realm="staff"' } : {},
        ),
    },
    {
      method: 'GET',
      path: '/app',
      handle: ({ on }) =>
        page('App', `<div id="out"></div><script src="/app.js?${on('fragment-script') ? 1 : 0}"></script>`),
    },
    {
      method: 'GET',
      path: '/app.js',
      handle: ({ on }) => ({
        headers: { 'content-type': 'text/javascript' },
        body: `var out = document.getElementById('out')
fetch('/api/products?kind=kitchen').then(function (answer) { return answer.json() }).then(function (list) { document.title = list.length + ' products' })
out.${on('fragment-script') ? 'innerHTML' : 'textContent'} = decodeURIComponent(location.hash.slice(1))\n`,
      }),
    },
    hidden(
      'git-folder',
      '/.git/config',
      '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = git@code.example:shop.git\n',
    ),
    hidden('git-folder', '/.git/HEAD', 'ref: refs/heads/main\n'),
    hidden(
      'environment-file',
      '/.env',
      'APP_ENV=production\nDB_PASSWORD=sunflower-field-42\nSMTP_HOST=mail.internal\n',
    ),
  ],
}
