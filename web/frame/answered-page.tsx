// A page whose title comes with its answer; until that is here, or if the record no longer exists, a generic title stands in.

import type { ComponentProps } from 'react'
import { Answered } from '../ui/answered.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { type Crumb, Page } from './page.tsx'

type Props<Data> = ComponentProps<typeof Answered<Data>> & {
  title: string
  /** The lists above this page, outermost first. */
  crumbs: readonly Crumb[]
}

export function AnsweredPage<Data>({ title, crumbs, ...rest }: Props<Data>) {
  const { data, failure } = rest.of
  // a record that was deleted meanwhile must not look as if it could still be edited
  if (failure?.code === 'NOT_FOUND') {
    return (
      <Page title={title} crumbs={crumbs}>
        <div role="alert">
          <Empty title={failure.message}>
            <p>It was deleted, or the address is wrong.</p>
            {crumbs.slice(-1).map(({ name, path }) => (
              <ButtonLink key={path} to={path}>
                Back to {name}
              </ButtonLink>
            ))}
          </Empty>
        </div>
      </Page>
    )
  }
  const answered = <Answered {...rest} />
  return data === undefined ? (
    <Page title={title} crumbs={crumbs}>
      {answered}
    </Page>
  ) : (
    answered
  )
}
