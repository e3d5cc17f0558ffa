import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/**
 * A dialog, open as soon as it stands on the page unless `opened` says otherwise. When it goes the focus is back on what
 * opened it. Mantine's Modal gives it back only where it was on the page, closed, before: a dialog that is loaded when
 * it is wanted never is.
 */
export function Dialog({ opened = true, children, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  const [wasOpened, setWasOpened] = useState(false)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  // While what opened it still has the focus, and the menu around it is still there.
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setOpener(openerOf(document.activeElement))
  }
  return (
    <Modal opened={opened} returnFocus={false} {...props}>
      <FocusReturn to={opener} />
      {children}
    </Modal>
  )
}

/** Stands in the dialog, so that it goes as the last control of the dialog does, after it has faded out. */
function FocusReturn({ to: opener }: { to: HTMLElement | null }) {
  useEffect(
    () => () => {
      // After whoever closed the dialog has put the focus elsewhere.
      setTimeout(() => {
        // What opened it may be gone or disabled by what was done: then the dialog below, then the screen.
        const below = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1)
        for (const element of [opener, below ?? document.getElementById('content')])
          if (document.activeElement === document.body) element?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
  return null
}

/** The button of the menu, where an entry of a menu was chosen: the menu closes as the dialog opens. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')
  const opener =
    menu === null || menu === undefined ? element : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
