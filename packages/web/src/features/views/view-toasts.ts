import type { View } from '@benchwatch/contract/views'
import { reasonOf } from '../../lib/reason.ts'
import type { Toast } from '../../ui/toasts.ts'

/** The words after a change of views; each says which one it was. */

type Named = Pick<View, 'name'>

export function viewCreated(view: View): Toast {
  return { title: `View “${view.name}” saved`, message: reach(view) }
}

export function viewUpdated(view: View): Toast {
  return { title: `View “${view.name}” updated`, message: reach(view) }
}

export function viewDefaultSet({ name, isDefault }: Pick<View, 'name' | 'isDefault'>): Toast {
  return isDefault
    ? { title: `View “${name}” is your default`, message: 'The list opens with it.' }
    : { title: `View “${name}” is not your default any more`, message: 'The list opens as you left it.' }
}

export function viewDeleted({ name }: Named): Toast {
  return { title: `View “${name}” deleted` }
}

export function viewNotChanged({ name }: Named, error: unknown): Toast {
  return {
    title: `Could not change view “${name}”`,
    message: reasonOf(error),
  }
}

function reach({ shared, isDefault }: View): string {
  const words = [
    shared ? 'Shared with colleagues.' : 'Only you see it.',
    ...(isDefault ? ['The list opens with it.'] : []),
  ]
  return words.join(' ')
}
