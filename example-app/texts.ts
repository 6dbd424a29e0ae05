/** Languages of the site; the first one stands at `/`, the others at `/{locale}/`. */
export const locales = ['en', 'fr', 'ja'] as const

/** A language of the site. */
export type Locale = (typeof locales)[number]

/** Whether the site speaks this language. */
export function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value)
}

interface PageText {
  readonly title: string
  readonly description: string
}

/** The site's own words in one language. */
export interface Texts {
  /** Name of the language in itself. */
  readonly language: string
  readonly home: PageText
  readonly about: PageText & { readonly body: readonly string[] }
  readonly articles: PageText
  readonly products: string
  readonly latestArticles: string
  readonly latestProducts: string
  readonly readIn: string
  readonly allProducts: string
  readonly published: string
  readonly sitemap: string
  readonly feed: string
}

/** Name of the shop, the same in every language. */
export const shopName = 'Kitchen & Garden'

/** One line about the shop, for the feed and the sitemap. */
export const shopDescription = 'Pans, pots, seeds & notes from a kitchen with a garden'

/** The site's own words. */
export const texts: Readonly<Record<Locale, Texts>> = {
  en: {
    language: 'English',
    home: { title: 'Welcome', description: 'Good tools for the stove, the table and the vegetable bed.' },
    about: {
      title: 'About us',
      description: 'Who we are, and how this shop keeps its sitemap.',
      body: [
        'We sell what we use: pans that last, seeds that come up, and linen that gets softer.',
        'This shop is the example of live-sitemap. Its products lie in an SQLite database, its articles in a small CMS that is asked over HTTP, and its sitemap and feed are live routes of the same server.',
      ],
    },
    articles: { title: 'Articles', description: 'Notes from the kitchen and the garden.' },
    products: 'Products',
    latestArticles: 'From the journal',
    latestProducts: 'Lately in the shop',
    readIn: 'Read in',
    allProducts: 'All products',
    published: 'Published',
    sitemap: 'Sitemap',
    feed: 'Feed',
  },
  fr: {
    language: 'Français',
    home: { title: 'Bienvenue', description: 'De bons outils pour le fourneau, la table et le potager.' },
    about: {
      title: 'Qui sommes-nous',
      description: 'Qui nous sommes, et comment cette boutique tient son plan de site.',
      body: [
        'Nous vendons ce dont nous nous servons : des poêles qui durent, des graines qui lèvent, du lin qui s’adoucit.',
        'Cette boutique est l’exemple de live-sitemap. Ses produits sont dans une base SQLite, ses articles dans un petit CMS interrogé en HTTP, et son plan de site comme son flux sont des routes vivantes du même serveur.',
      ],
    },
    articles: { title: 'Articles', description: 'Notes de la cuisine et du jardin.' },
    products: 'Produits',
    latestArticles: 'Dans le journal',
    latestProducts: 'Depuis peu en boutique',
    readIn: 'Lire en',
    allProducts: 'Tous les produits',
    published: 'Publié le',
    sitemap: 'Plan du site',
    feed: 'Flux',
  },
  ja: {
    language: '日本語',
    home: { title: 'ようこそ', description: '台所と食卓と菜園のための、よい道具。' },
    about: {
      title: '私たちについて',
      description: '店のこと、サイトマップのこと。',
      body: [
        '長く使える鍋、よく芽を出す種、使うほどやわらかくなるリネン。自分たちで使うものだけを売っています。',
        'この店は live-sitemap の見本です。商品は SQLite に、記事は HTTP で読む小さな CMS にあり、サイトマップとフィードは同じサーバーのルートです。',
      ],
    },
    articles: { title: '記事', description: '台所と庭の覚え書き。' },
    products: '商品',
    latestArticles: '最近の記事',
    latestProducts: '最近の商品',
    readIn: '他の言語',
    allProducts: 'すべての商品',
    published: '公開日',
    sitemap: 'サイトマップ',
    feed: 'フィード',
  },
}
