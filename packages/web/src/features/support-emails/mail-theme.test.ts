import { expect, it } from 'vitest'
import { mailInTheme } from './mail-theme.ts'

const mail = `<head><style>
  p{color:black}
  @media (prefers-color-scheme:dark){p{color:white!important}}
</style></head><body><p>@media (prefers-color-scheme:dark)</p></body>`

it('a dark mail program takes the dark styles, a light one leaves them, whatever the browser prefers', () => {
  expect(mailInTheme(mail, 'dark')).toContain('@media (min-width: 0){p{color:white')
  expect(mailInTheme(mail, 'light')).toContain('@media (max-width: 0){p{color:white')
  expect(mailInTheme(mail, 'dark')).toContain('color-scheme:dark!important')
})

it('what the mail says is left as it is', () => {
  expect(mailInTheme(mail, 'dark')).toContain('<p>@media (prefers-color-scheme:dark)</p>')
  expect(mailInTheme('<p>Plain</p>', 'dark')).toBe('<p>Plain</p>')
})
