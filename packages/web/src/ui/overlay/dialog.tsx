import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/**
 * A dialog that is open while mounted unless `opened` says otherwise. On closing, the focus returns to the element
 * that opened it. Mantine's Modal only does this if it was mounted closed before, which a lazily loaded dialog never
 * is.
 */
export function Dialog({
  opened = true,
  children,
  onClose,
  ...props
}: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  const [wasOpened, setWasOpened] = useState(false)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  // Read while the opener still has the focus and its menu still exists.
  if (opened !== wasOpened) {
    setWasOpened(opened)
    if (opened) setOpener(openerOf(document.activeElement))
  }
  return (
    <Modal
      opened={opened}
      returnFocus={false}
      onClose={() => !isInPanel(document.activeElement) && onClose()}
      {...props}
    >
      <FocusReturn to={opener} />
      {children}
    </Modal>
  )
}

/** True in a floating panel of the dialog, such as a calendar: Escape closes that, although the dialog hears it first. */
function isInPanel(element: Element | null): boolean {
  const nearest = element?.closest('[role="dialog"]') ?? null
  return nearest !== null && nearest.getAttribute('aria-modal') !== 'true'
}

/** Mounted inside the dialog, so that it unmounts with it, after the fade-out. */
function FocusReturn({ to: opener }: { to: HTMLElement | null }) {
  useEffect(
    () => () => {
      // Waits until the caller that closed the dialog has moved the focus.
      setTimeout(() => {
        // The action may have removed or disabled the opener: then the dialog below gets the focus, else the screen.
        const below = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1)
        for (const element of [opener, below ?? document.getElementById('content')])
          if (document.activeElement === document.body) element?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
  return null
}

/** Returns the menu's button for a menu item, because the menu closes as the dialog opens. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')
  const opener =
    menu === null || menu === undefined ? element : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}
