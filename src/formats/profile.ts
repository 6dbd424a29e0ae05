import { PROFILE_CLASSES, type RobotsClass } from '../robots-profile/classes.ts'
import { directionOf, languageTag } from './html-language.ts'
import { address, attribute, breakable, escapeHtml, shownText } from './html-text.ts'

/** The words of the document that defines the robots-* classes, in one language. */
export interface ProfileStrings {
  readonly title: string
  /** `{link}` stands for the link by which a page names the profile. */
  readonly intro: string
  readonly rules: string
  /** What each class means. */
  readonly meanings: Readonly<Record<RobotsClass, string>>
}

/** All that the document is made of. */
export interface ProfileDocument {
  readonly language: string
  readonly siteTitle: string
  /** URL of the document itself, by which pages name it, with `#` at its end (SPEC H34). */
  readonly url: string
  /** Words of the user's over ours; they are in `language`. */
  readonly strings?: Partial<ProfileStrings> | undefined
  /** Stylesheet's public path or URL. */
  readonly stylesheet?: string | undefined
}

const EN: ProfileStrings = {
  title: 'Robots profile',
  intro:
    'These classes tell robots what to do with a part of a page. They count on pages that name this address as their profile, as in {link}.',
  rules:
    'An element may carry several of them. In each matter the element itself decides, or else the nearest one around it that says something about it. Where an element carries a class and its opposite, the restricting one counts.',
  meanings: {
    'robots-nofollow': 'Links in this part are not followed.',
    'robots-follow': 'Links in this part may be followed, even inside robots-nofollow.',
    'robots-noindex': 'The content of this part does not count as content of the page.',
    'robots-noanchortext':
      'The text of links in this part is not used to index the pages to which they lead.',
    'robots-anchortext':
      'The text of links in this part may be used to index the pages to which they lead, even inside robots-noanchortext.',
    'robots-index': 'The content of this part counts as content of the page, even inside robots-noindex.',
    'robots-noarchive': 'This part is neither kept in cached copies of the page nor shown in excerpts.',
    'robots-archive':
      'This part may be kept in cached copies of the page and shown in excerpts, even inside robots-noarchive.',
  },
}

const STRINGS: ReadonlyMap<string, ProfileStrings> = new Map([
  ['en', EN],
  [
    'fr',
    {
      title: 'Profil pour les robots',
      intro:
        'Ces classes indiquent aux robots comment traiter une partie d’une page. Elles valent sur les pages qui déclarent cette adresse comme profil, par exemple avec {link}.',
      rules:
        'Un élément peut en porter plusieurs. Sur chaque point, c’est l’élément lui-même qui décide ou, à défaut, le plus proche des éléments qui le contiennent et qui en disent quelque chose. Si un élément porte une classe et son contraire, la plus restrictive l’emporte.',
      meanings: {
        'robots-nofollow': 'Les liens de cette partie ne sont pas suivis.',
        'robots-follow':
          'Les liens de cette partie peuvent être suivis, même à l’intérieur de robots-nofollow.',
        'robots-noindex': 'Le contenu de cette partie ne compte pas comme contenu de la page.',
        'robots-noanchortext':
          'Le texte des liens de cette partie ne sert pas à indexer les pages auxquelles ils mènent.',
        'robots-anchortext':
          'Le texte des liens de cette partie peut servir à indexer les pages auxquelles ils mènent, même à l’intérieur de robots-noanchortext.',
        'robots-index':
          'Le contenu de cette partie compte comme contenu de la page, même à l’intérieur de robots-noindex.',
        'robots-noarchive':
          'Cette partie n’est ni conservée dans les copies en cache de la page, ni reprise dans les extraits.',
        'robots-archive':
          'Cette partie peut être conservée dans les copies en cache de la page et reprise dans les extraits, même à l’intérieur de robots-noarchive.',
      },
    },
  ],
  [
    'de',
    {
      title: 'Profil für Robots',
      intro:
        'Diese Klassen sagen Robots, wie sie mit einem Teil einer Seite umgehen sollen. Sie gelten auf Seiten, die diese Adresse als ihr Profil angeben, zum Beispiel mit {link}.',
      rules:
        'Ein Element kann mehrere davon tragen. In jeder Frage entscheidet das Element selbst, sonst das nächste umgebende, das etwas dazu sagt. Trägt ein Element eine Klasse und ihr Gegenteil, gilt die einschränkende.',
      meanings: {
        'robots-nofollow': 'Links in diesem Teil wird nicht gefolgt.',
        'robots-follow': 'Links in diesem Teil darf gefolgt werden, auch innerhalb von robots-nofollow.',
        'robots-noindex': 'Der Inhalt dieses Teils zählt nicht zum Inhalt der Seite.',
        'robots-noanchortext':
          'Der Text von Links in diesem Teil wird nicht dazu verwendet, deren Ziele zu indexieren.',
        'robots-anchortext':
          'Der Text von Links in diesem Teil darf dazu verwendet werden, deren Ziele zu indexieren, auch innerhalb von robots-noanchortext.',
        'robots-index':
          'Der Inhalt dieses Teils zählt zum Inhalt der Seite, auch innerhalb von robots-noindex.',
        'robots-noarchive':
          'Dieser Teil wird weder in zwischengespeicherten Kopien der Seite aufbewahrt noch in Auszügen gezeigt.',
        'robots-archive':
          'Dieser Teil darf in zwischengespeicherten Kopien der Seite aufbewahrt und in Auszügen gezeigt werden, auch innerhalb von robots-noarchive.',
      },
    },
  ],
  [
    'es',
    {
      title: 'Perfil para robots',
      intro:
        'Estas clases indican a los robots cómo tratar una parte de una página. Valen en las páginas que declaran esta dirección como su perfil, por ejemplo con {link}.',
      rules:
        'Un elemento puede llevar varias. En cada cuestión decide el propio elemento o, en su defecto, el más cercano de los que lo contienen y dicen algo al respecto. Si un elemento lleva una clase y su contraria, prevalece la más restrictiva.',
      meanings: {
        'robots-nofollow': 'Los enlaces de esta parte no se siguen.',
        'robots-follow': 'Los enlaces de esta parte se pueden seguir, incluso dentro de robots-nofollow.',
        'robots-noindex': 'El contenido de esta parte no cuenta como contenido de la página.',
        'robots-noanchortext':
          'El texto de los enlaces de esta parte no se usa para indexar las páginas a las que llevan.',
        'robots-anchortext':
          'El texto de los enlaces de esta parte se puede usar para indexar las páginas a las que llevan, incluso dentro de robots-noanchortext.',
        'robots-index':
          'El contenido de esta parte cuenta como contenido de la página, incluso dentro de robots-noindex.',
        'robots-noarchive':
          'Esta parte no se conserva en las copias en caché de la página ni se muestra en los extractos.',
        'robots-archive':
          'Esta parte se puede conservar en las copias en caché de la página y mostrar en los extractos, incluso dentro de robots-noarchive.',
      },
    },
  ],
  [
    'ar',
    {
      title: 'ملف تعريف الروبوتات',
      intro:
        'تخبر هذه الفئات الروبوتات بكيفية التعامل مع جزء من الصفحة. وهي سارية في الصفحات التي تعلن هذا العنوان ملف تعريف لها، مثلًا بواسطة {link}.',
      rules:
        'يمكن أن يحمل العنصر الواحد عدة فئات. وفي كل مسألة يكون القرار للعنصر نفسه، وإلا فلأقرب عنصر يحيط به ويحدد شيئًا بشأنها. وإذا حمل عنصر فئة ونقيضها فالعبرة بالفئة المقيِّدة.',
      meanings: {
        'robots-nofollow': 'لا تُتبع الروابط الواردة في هذا الجزء.',
        'robots-follow': 'يجوز اتباع الروابط الواردة في هذا الجزء، حتى داخل robots-nofollow.',
        'robots-noindex': 'لا يُعد محتوى هذا الجزء من محتوى الصفحة.',
        'robots-noanchortext': 'لا يُستخدم نص الروابط الواردة في هذا الجزء لفهرسة الصفحات التي تؤدي إليها.',
        'robots-anchortext':
          'يجوز استخدام نص الروابط الواردة في هذا الجزء لفهرسة الصفحات التي تؤدي إليها، حتى داخل robots-noanchortext.',
        'robots-index': 'يُعد محتوى هذا الجزء من محتوى الصفحة، حتى داخل robots-noindex.',
        'robots-noarchive': 'لا يُحفظ هذا الجزء في النسخ المخبأة من الصفحة ولا يظهر في المقتطفات.',
        'robots-archive':
          'يجوز حفظ هذا الجزء في النسخ المخبأة من الصفحة وإظهاره في المقتطفات، حتى داخل robots-noarchive.',
      },
    },
  ],
  [
    'ja',
    {
      title: 'ロボット向けプロファイル',
      intro:
        'これらのクラスは、ページの一部をどう扱うかをロボットに伝えます。{link} のように、このアドレスをプロファイルとして指定したページで有効です。',
      rules:
        '一つの要素に複数のクラスを付けられます。事項ごとに、その要素自身の指定が優先され、指定がなければ最も近い外側の要素の指定に従います。一つの要素にクラスとその反対のクラスが両方付いている場合は、制限する方が優先されます。',
      meanings: {
        'robots-nofollow': 'この部分にあるリンクはたどられません。',
        'robots-follow': 'robots-nofollow の内側であっても、この部分にあるリンクはたどってかまいません。',
        'robots-noindex': 'この部分の内容は、ページの内容とは見なされません。',
        'robots-noanchortext': 'この部分にあるリンクのテキストは、リンク先のインデックス登録に使われません。',
        'robots-anchortext':
          'robots-noanchortext の内側であっても、この部分にあるリンクのテキストは、リンク先のインデックス登録に使ってかまいません。',
        'robots-index': 'robots-noindex の内側であっても、この部分の内容はページの内容と見なされます。',
        'robots-noarchive': 'この部分は、ページのキャッシュに保存されず、抜粋にも表示されません。',
        'robots-archive':
          'robots-noarchive の内側であっても、この部分はページのキャッシュに保存し、抜粋に表示してかまいません。',
      },
    },
  ],
])

/**
 * The XMDP document that defines the robots-* classes (SPEC H34), whose URL pages name as their profile (H31). In
 * English where there are no words in `language`. The same facts give the same bytes.
 */
export function renderProfile({ language, siteTitle, url, strings, stylesheet }: ProfileDocument): string {
  const tag = languageTag(language)
  const ours = STRINGS.get(tag?.split('-', 1)[0] ?? '')
  // A document in English words says so, whatever the language of the site.
  const lang = tag !== undefined && (ours !== undefined || strings !== undefined) ? tag : 'en'
  const words = ours ?? EN
  const site = shownText(siteTitle)
  const title = shownText(strings?.title) ?? words.title
  const css = address(stylesheet)
  const lines = [
    '<!doctype html>',
    `<html${attribute('lang', lang)}${attribute('dir', directionOf(lang))}>`,
    '<head>',
    '<meta charset="utf-8">',
    `<title>${escapeHtml(site === undefined ? title : `${title} – ${site}`)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    css && `<link rel="stylesheet"${attribute('href', css)}>`,
    '</head>',
    '<body>',
    site && `<header><p><bdi>${escapeHtml(site)}</bdi></p></header>`,
    '<main>',
    `<div class="title"><h1>${escapeHtml(title)}</h1></div>`,
    `<p>${introOf(shownText(strings?.intro) ?? words.intro, url)}</p>`,
    '<dl class="profile">',
    ...PROFILE_CLASSES.map((name) => {
      const meaning = shownText(strings?.meanings?.[name]) ?? words.meanings[name]
      return `<dt id="${name}">${name}</dt>\n<dd>${proseOf(meaning)}</dd>`
    }),
    '</dl>',
    `<p>${proseOf(shownText(strings?.rules) ?? words.rules)}</p>`,
    '</main>',
    '</body>',
    '</html>',
  ]
  return `${lines.filter((line) => line !== undefined && line !== '').join('\n')}\n`
}

function introOf(intro: string, url: string): string {
  const own = address(url) ?? ''
  const link = `<link rel="profile"${attribute('href', own.includes('#') ? own : `${own}#`)}>`
  return intro
    .split('{link}')
    .map(proseOf)
    .join(codeOf(breakable(escapeHtml(link))))
}

const CLASS_NAMES = new RegExp(`\\b(?:${PROFILE_CLASSES.join('|')})\\b`, 'g')

/** Text as HTML in which names of classes are told from words. */
function proseOf(text: string): string {
  return escapeHtml(text).replace(CLASS_NAMES, codeOf)
}

/** Code runs from left to right among the words of any language. */
function codeOf(html: string): string {
  return `<code dir="ltr">${html}</code>`
}
