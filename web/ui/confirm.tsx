// A dialog that asks before something that cannot be undone, says what will happen, and shows what went wrong.

import { Form } from '../forms/form.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  /** What will be the case afterwards. */
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
