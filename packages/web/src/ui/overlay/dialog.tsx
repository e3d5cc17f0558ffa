import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useLayoutEffect, useState } from 'react'

/**
 * A dialog that is open while mounted unless `opened` says otherwise. Its field with `data-autofocus` has the focus from
 * the first frame on: Mantine's Modal waits for a timer, and a key pressed meanwhile would be lost. On closing, the focus
 * returns to the element that opened it. Mantine's Modal only does this if it was mounted closed before, which a lazily
 * loaded dialog never is.
 */
export function Dialog({
  opened = true,
  children,
  onClose,
  ...props
}: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  const [wasOpened, setWasOpened] = useState(false)
  const [opener, setOpener] = useState<Opener>({ element: null, isMenu: false })
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
      <Focus {...opener} />
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
function Focus({ element: opener, isMenu }: Opener) {
  useLayoutEffect(() => {
    // A menu that closes would take the focus back from a field that has it already.
    if (!isMenu) topDialog()?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }, [isMenu])
  useEffect(
    () => () => {
      // Waits until the caller that closed the dialog has moved the focus.
      setTimeout(() => {
        // The action may have removed or disabled the opener: then the dialog below gets the focus, else the screen.
        for (const element of [opener, topDialog() ?? document.getElementById('content')])
          if (document.activeElement === document.body) element?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
  return null
}

function topDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1)
}

interface Opener {
  element: HTMLElement | null
  isMenu: boolean
}

/** Returns the menu's button for a menu item, because the menu closes as the dialog opens. */
function openerOf(active: Element | null): Opener {
  const menu = active?.closest('[role="menu"]')
  const isMenu = menu !== null && menu !== undefined
  const element = isMenu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return { element: element instanceof HTMLElement && element !== document.body ? element : null, isMenu }
}
