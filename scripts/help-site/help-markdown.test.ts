import { describe, expect, it } from 'vitest'
import { anchorOf, renderPage } from './help-markdown.ts'

const measure = () => ({ width: 1440, height: 900 })
const render = (text: string) => renderPage('sample', text, measure)

describe('a page of the help', () => {
  it('begins with its title', () => {
    expect(render('# The map\n\nIt shows.').title).toBe('The map')
    expect(() => render('It shows.')).toThrow('docs/help/sample.md does not begin with its title.')
  })

  it('can be found by its headings, each with the text below it', () => {
    const { sections, html } = render('# The map\n\nIt *shows* `marks`.\n\n## The panel\n\n- Lists\n- countries')
    expect(sections).toEqual([
      { anchor: '', title: 'The map', text: 'It shows marks. ' },
      { anchor: 'the-panel', title: 'The panel', text: 'Lists countries ' },
    ])
    expect(html).toContain('<h2 id="the-panel">')
  })

  it('has no two headings of one name', () => {
    expect(() => render('# A\n\n## B\n\n## B')).toThrow('two headings')
  })

  it('opens addresses of the console around the frame, and its own pages within', () => {
    const { html } = render('# A\n\n[list](/events) [map](map.html)')
    expect(html).toContain('<a href="/events" target="_top">')
    expect(html).toContain('<a href="map.html">')
  })

  it('says how large pictures are, and lets wide tables scroll by the keyboard', () => {
    const { html } = render('# A\n\n![The "list"](pictures/a.webp)\n\n| a | b |\n| --- | --- |\n| c | d |')
    expect(html).toContain('alt="The &quot;list&quot;" width="1440" height="900"')
    expect(html).toContain('<div class="table" tabindex="0"')
  })
})

it.each([
  ['ORC status: how it is connected', 'orc-status-how-it-is-connected'],
  ['Why did I (not) get this?', 'why-did-i-not-get-this'],
  ['ÄKTA', 'akta'],
])('%s is %s', (words, anchor) => expect(anchorOf(words)).toBe(anchor))
