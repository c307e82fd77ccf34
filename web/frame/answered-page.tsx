// A page whose title is in its answer: until that is there, or where what it shows is gone, it is titled by what kind of thing that is.

import type { ComponentProps } from 'react'
import { Answered } from '../ui/answered.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { type Crumb, Page } from './page.tsx'

type Props<Data> = ComponentProps<typeof Answered<Data>> & {
  title: string
  /** The lists that it is one of, the outermost first. */
  crumbs: readonly Crumb[]
}

export function AnsweredPage<Data>({ title, crumbs, ...rest }: Props<Data>) {
  const { data, failure } = rest.of
  // what was deleted meanwhile is not shown as if it could still be worked on
  if (failure?.code === 'NOT_FOUND') {
    return (
      <Page title={title} crumbs={crumbs}>
        <div role="alert">
          <Empty title={failure.message}>
            <p>It was deleted, or the address was mistyped.</p>
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
