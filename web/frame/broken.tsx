// What is shown in place of a page that crashed or does not exist.

import { isRouteErrorResponse, useRouteError } from 'react-router'
import { asFailure, Failure } from '../api/failure.ts'
import { Failed } from '../ui/answered.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { to } from '../util/path-builder.ts'
import { Page } from './page.tsx'

/** What browsers say, each in its own words, if the script of a page did not arrive. */
const NOT_LOADED = /dynamically imported module|module script failed/i

const failureOf = (error: unknown): Failure =>
  error instanceof TypeError && NOT_LOADED.test(error.message)
    ? new Failure('This page could not be loaded. Check that the server is running, then try again.', 'UNREACHABLE')
    : asFailure(error)

export function Broken() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotHere />
  return (
    <Page title="Something went wrong">
      <div className="stack">
        <Failed failure={failureOf(error)} again={() => window.location.reload()} />
      </div>
    </Page>
  )
}

export function NotHere() {
  return (
    <Page title="Page not found">
      <div className="stack">
        <p>The address is wrong, or what it leads to was deleted.</p>
        <div>
          <ButtonLink to={to.start()}>Go to the start page</ButtonLink>
        </div>
      </div>
    </Page>
  )
}
