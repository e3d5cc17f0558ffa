import type { CustomerSketch } from './customers.ts'

/** Invented given and family names of a region, with the Latin spelling used in their e-mail addresses. */
interface NamePool {
  given: readonly string[]
  family: readonly string[]
}

export const namePools: Record<CustomerSketch['people'], NamePool> = {
  nordic: {
    given: ['Maria', 'Jonas', 'Ingrid', 'Søren', 'Karin', 'Åsa', 'Lars', 'Freja', 'Elin', 'Mikkel'],
    family: [
      'Öberg',
      'Lindqvist',
      'Sjöström',
      'Kjær',
      'Nygård',
      'Håkansson',
      'Møller',
      'Ekström',
      'Rasmussen',
      'Wåhlin',
    ],
  },
  english: {
    given: ['Aoife', 'Megan', 'Daniel', 'Priya', 'Marcus', 'Siobhán', 'Grace', 'Tyrone', 'Hannah', 'Owen'],
    family: [
      'O’Donoghue',
      'Whitfield',
      'Okafor',
      'Nair',
      'Brannigan',
      'Castellano',
      'Hargreaves',
      'Tran',
      'McAuley',
      'Sutherland',
    ],
  },
  french: {
    given: ['Élodie', 'Benoît', 'Chloé', 'Rémi', 'Sylvie', 'François', 'Amélie', 'Yannick'],
    family: ['Dufrêne', 'Lefèvre', 'Garnier', 'Béchard', 'Perrin', 'Chaumont', 'Vasseur', 'Noël'],
  },
  polish: {
    given: ['Agnieszka', 'Paweł', 'Małgorzata', 'Łukasz', 'Katarzyna', 'Michał'],
    family: ['Wójcik', 'Dąbrowska', 'Zieliński', 'Jabłońska', 'Kaczmarek', 'Święcicki'],
  },
  dutch: {
    given: ['Sanne', 'Bram', 'Lotte', 'Joost', 'Femke', 'Ruben', 'Mercè', 'Thijs'],
    family: ['van der Meer', 'de Wit', 'Hoekstra', 'Bakker', 'Peeters', 'Puig', 'Verhoeven', 'Dijkstra'],
  },
  italian: {
    given: ['Chiara', 'Luca', 'Beatrice', 'Niccolò', 'Reto', 'Martina', 'Urs', 'Elena'],
    family: ['Bianchi', 'Moretti', 'Caflisch', 'Rinaldi', 'Zumstein', 'Ferrero', 'Lüthi', 'D’Angelo'],
  },
  latin: {
    given: ['João', 'Luciana', 'Rafael', 'Inés', 'Thiago', 'Valentina'],
    family: ['Gonçalves', 'Araújo', 'Peñaloza', 'Figueiredo', 'Muñoz', 'Cardoso'],
  },
  japanese: {
    given: ['Haruka', 'Kenji', 'Yūko', 'Takumi', 'Naomi', 'Shōta'],
    family: ['Nakagawa', 'Ōtsuka', 'Fujimoto', 'Hayashi', 'Morita', 'Kuroda'],
  },
  chinese: {
    given: ['Wei', 'Xiaoyan', 'Jianguo', 'Mei', 'Haoran', 'Lili'],
    family: ['Zhao', 'Lü', 'Huang', 'Xu', 'Song', 'Deng'],
  },
}

/** Letters that do not decompose into a base letter and a diacritic. */
const folded: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/** Converts `Søren Kjær` to `soren.kjaer`, for e-mail addresses and user names. */
export function loginName(fullName: string): string {
  return fullName
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[øłßæđ]/g, (letter) => folded[letter] ?? letter)
    .replace(/[^a-z ]/g, '')
    .trim()
    .replace(/ +/g, '.')
}
