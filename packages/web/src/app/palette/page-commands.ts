/**
 * The actions of a page are the buttons that it shows: those with a key and those that open a panel, and the next step
 * of the current row. So the palette never offers what the page does not.
 */

export interface PageCommand {
  label: string
  /** The key that does the same. */
  key: string | null
  run: () => void
}

const BUTTONS = ':is(button, a):is([aria-keyshortcuts], [aria-haspopup="dialog"])'
const NEXT_STEP_OF_ROW = '[data-row][data-current] [data-action="primary"]'

/** Returns what the page offers now, in the order of the page; a button that is blocked is left out. */
export function pageCommands(page: ParentNode): PageCommand[] {
  const row = page.querySelectorAll<HTMLElement>(NEXT_STEP_OF_ROW)
  const buttons = page.querySelectorAll<HTMLElement>(`${BUTTONS}:not(:disabled, [aria-disabled="true"])`)
  const ofPage = [...buttons].filter((button) => button.closest('[data-row]') === null)
  return [...row, ...ofPage].filter(isShown).map((button) => ({
    label: (button.getAttribute('aria-label') ?? button.textContent).trim(),
    // Of several keys for one button, the first.
    key: button.getAttribute('aria-keyshortcuts')?.split(' ')[0] ?? null,
    run: () => {
      button.focus({ preventScroll: true })
      button.click()
    },
  }))
}

function isShown(button: HTMLElement): boolean {
  return button.checkVisibility({ visibilityProperty: true })
}
