// The instructions, shown only once, for creating a webhook by hand at a tool that did not let Merlon create it.

import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ShownOnce } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'

/** What to enter at the tool, under the labels of the tool's own page. */
export type Hook = { events: readonly string[]; values: readonly { name: string; value: string | null }[] }

export function HookShown({ tool, hook, onClose }: { tool: string; hook: Hook; onClose: () => void }) {
  return (
    <ShownOnce>
      <p>
        {tool} did not let Merlon create a webhook. Create it there with these values, which are not shown again. Until
        then, changes are polled.
      </p>
      <Facts
        facts={[
          ...hook.values.map(({ name, value }) => ({
            name,
            fact: value !== null && <CopyText text={value} what={`the ${name.toLowerCase()}`} />,
          })),
          { name: 'Events', fact: hook.events.join(', ') },
        ]}
      />
      <div>
        <Button onClick={onClose}>Done</Button>
      </div>
    </ShownOnce>
  )
}
