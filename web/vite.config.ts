// How the console is built: no inlined assets, because the content security policy allows only files of our own.

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The parts of Base UI that are only needed after a click, and so can load later. */
const late =
  /\/(?:combobox|composite|dialog|menu|popover|FloatingFocusManager|markOthers|useListNavigation|useScrollLock|useTypeahead)\b/

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    assetsDir: 'console',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The part of Base UI that nearly every page loads is smaller as one chunk than as the many chunks that some
          // pages share.
          groups: [
            { name: 'floating', test: (id) => /@base-ui|floating-ui/.test(id) && !late.test(id), minShareCount: 16 },
          ],
        },
      },
    },
  },
  // For `npm run dev:web` beside `npm start`: Vite serves the page, and the service answers its requests.
  server: {
    proxy: Object.fromEntries(
      ['/graphql', '/session', '/deploys', '/attachments', '/exports'].map((path) => [
        path,
        { target: process.env.MERLON_URL ?? 'http://127.0.0.1:4000' },
      ]),
    ),
  },
})
