// Asks before what cannot be undone, in a dialog that says what will happen and what went wrong.

import { Form } from '../forms/form.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  /** What will be so afterwards. */
  description: string
  submit: string
  action: () => Promise<void>
  onClose: () => void
}

export function Confirm({ title, description, submit, action, onClose }: Props) {
  const run = async () => {
    await action()
    onClose()
  }
  return (
    <Dialog title={title} description={description} isOpen onClose={onClose}>
      <Form action={run} submit={submit} tone="danger" onCancel={onClose}>
        {null}
      </Form>
    </Dialog>
  )
}
