import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { EmailLink, PhoneLink } from './contact-line.tsx'

afterEach(cleanup)

describe('a telephone number of a contact', () => {
  it('is shown in international format and can be dialled', () => {
    render(<PhoneLink number=" 018-555 01 20 " country="Sweden" />)
    expect(screen.getByRole('link', { name: '+46 18 555 01 20' }).getAttribute('href')).toBe('tel:+46185550120')
  })

  it.each(['n/a', '555 01 20 / 21 (mornings)', '018-555 01 20'])("or is marked '(invalid)': %s", (number) => {
    const { container } = render(<PhoneLink number={number} country={null} />)
    expect(container.textContent).toBe(`${number} (invalid)`)
    expect(screen.queryByRole('link')).toBeNull()
  })

  it.each([null, '', '  '])('shows a dash when it is empty: %j', (number) => {
    expect(render(<PhoneLink number={number} country="Sweden" />).container.textContent).toBe('–')
  })
})

describe('an e-mail address of a contact', () => {
  it('is a link when it is valid', () => {
    render(<EmailLink address="maria.oberg@helixbio.example" />)
    expect(screen.getByRole('link').getAttribute('href')).toBe('mailto:maria.oberg@helixbio.example')
  })

  it.each(['maria(at)helixbio.example', 'mailto:a@b.example;', 'a@b.example?bcc=c@d.example', '<b>a@b.example</b>'])(
    'is text when it is not: %s',
    (address) => {
      const { container } = render(<EmailLink address={address} />)
      expect(screen.queryByRole('link')).toBeNull()
      expect(container.textContent).toBe(address)
    },
  )

  it('shows a dash when it is empty', () => {
    expect(render(<EmailLink address={null} />).container.textContent).toBe('–')
  })
})
