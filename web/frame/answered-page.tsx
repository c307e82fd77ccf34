// A page whose title is in its answer: until that is there it is titled by what kind of thing it shows.

import type { ComponentProps } from 'react'
import { Answered } from '../ui/answered.tsx'
import { Page } from './page.tsx'

type Props<Data> = ComponentProps<typeof Answered<Data>> & { title: string }

export function AnsweredPage<Data>({ title, ...rest }: Props<Data>) {
  const answered = <Answered {...rest} />
  return rest.of.data === undefined ? <Page title={title}>{answered}</Page> : answered
}
