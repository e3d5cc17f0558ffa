/** Paper is white: prints in the light theme, whatever the screen has. */
export function printInLight(): void {
  const { dataset } = document.documentElement
  let shown: string | undefined
  window.addEventListener('beforeprint', () => {
    shown ??= dataset.mantineColorScheme
    dataset.mantineColorScheme = 'light'
  })
  window.addEventListener('afterprint', () => {
    if (shown !== undefined) dataset.mantineColorScheme = shown
    shown = undefined
  })
}
