// Starts the console: applies the theme, loads the session, and renders the page of the current address.

import './styles/base.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Provider } from 'urql'
import { client } from './api/client.ts'
import { asFailure } from './api/failure.ts'
import { loadSession } from './api/session.ts'
import { SignedIn } from './frame/signed-in.tsx'
import { Toasts } from './frame/toasts.tsx'
import { routes } from './routes.tsx'
import { Failed } from './ui/answered.tsx'
import { applyTheme } from './util/theme.ts'

applyTheme()
const element = document.getElementById('root')
if (!element) throw new Error('The page has no place for the console')
const root = createRoot(element)

async function start(): Promise<void> {
  try {
    await loadSession()
  } catch (error) {
    return root.render(<Failed failure={asFailure(error)} again={() => void start()} />)
  }
  root.render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Tooltip.Provider>
          <Provider value={client}>
            <SignedIn>
              <RouterProvider router={createBrowserRouter(routes)} />
            </SignedIn>
            <Toasts />
          </Provider>
        </Tooltip.Provider>
      </CSPProvider>
    </StrictMode>,
  )
}

void start()
