/** What a small bookshop says in each language that the pages have words for: the checker knows texts by their language. */
export interface Phrases {
  readonly site: string
  readonly description: string
  /** Titles of its two sections. */
  readonly pages: string
  readonly posts: string
  /** Titles of entries, each with a line about it. */
  readonly entries: readonly (readonly [title: string, description: string])[]
}

export const PHRASES: Readonly<Record<'en' | 'fr' | 'de' | 'es' | 'ar' | 'ja', Phrases>> = {
  en: {
    site: 'Harbour Books',
    description: 'New and old books from a small shop by the sea',
    pages: 'About the shop',
    posts: 'From the reading room',
    entries: [
      ['Opening hours in summer', 'When the shop is open, and when the reading room is'],
      ['How to find us', 'By bus, by bicycle, and on foot along the water'],
      ['Novels for long evenings', 'Twelve stories that nobody here could put down'],
      ['Sea charts and old maps', 'What came in with the last estate, and what it costs'],
      ['Books for small hands', 'Picture books that survive being loved'],
      ['A letter from the bindery', 'Why we still sew our notebooks'],
      ['Readings this autumn', 'Five evenings with writers from the coast'],
    ],
  },
  fr: {
    site: 'Les Livres du Port',
    description: 'Des livres neufs et anciens, dans une petite librairie au bord de la mer',
    pages: 'À propos de la librairie',
    posts: 'Carnet de lecture',
    entries: [
      ['Nos horaires d’été', 'Quand la librairie est ouverte, et quand la salle de lecture l’est aussi'],
      ['Comment venir chez nous', 'En bus, à vélo, ou à pied le long de l’eau'],
      ['Des romans pour les longues soirées', 'Douze histoires que personne ici n’a pu lâcher'],
      ['Cartes marines et vieux atlas', 'Ce que nous avons reçu ce mois-ci, et à quel prix'],
      ['Des livres pour les petites mains', 'Des albums qui survivent à l’amour des enfants'],
      ['Une lettre de l’atelier de reliure', 'Pourquoi nous cousons encore nos carnets'],
      ['Les lectures de cet automne', 'Cinq soirées avec des écrivains de la côte'],
    ],
  },
  de: {
    site: 'Hafenbuchhandlung',
    description: 'Neue und alte Bücher aus einem kleinen Laden am Meer',
    pages: 'Über den Laden',
    posts: 'Aus dem Lesezimmer',
    entries: [
      ['Öffnungszeiten im Sommer', 'Wann der Laden geöffnet ist und wann das Lesezimmer'],
      ['So finden Sie uns', 'Mit dem Bus, mit dem Fahrrad und zu Fuß am Wasser entlang'],
      ['Romane für lange Abende', 'Zwölf Geschichten, die hier niemand weglegen konnte'],
      ['Seekarten und alte Landkarten', 'Was mit dem letzten Nachlass kam und was es kostet'],
      ['Bücher für kleine Hände', 'Bilderbücher, die es überstehen, geliebt zu werden'],
      ['Ein Brief aus der Buchbinderei', 'Warum wir unsere Notizbücher noch immer von Hand heften'],
      ['Lesungen in diesem Herbst', 'Fünf Abende mit Schriftstellerinnen von der Küste'],
    ],
  },
  es: {
    site: 'Libros del Puerto',
    description: 'Libros nuevos y antiguos en una pequeña librería junto al mar',
    pages: 'Sobre la librería',
    posts: 'Desde la sala de lectura',
    entries: [
      ['Nuestro horario de verano', 'Cuándo abre la librería y cuándo la sala de lectura'],
      ['Cómo llegar hasta aquí', 'En autobús, en bicicleta o a pie por la orilla'],
      ['Novelas para noches largas', 'Doce historias que nadie pudo dejar de leer'],
      ['Cartas náuticas y mapas antiguos', 'Lo que nos ha llegado este mes y lo que cuesta'],
      ['Libros para manos pequeñas', 'Cuentos ilustrados que aguantan mucho cariño'],
      ['Una carta del taller de encuadernación', 'Por qué seguimos cosiendo nuestros cuadernos'],
      ['Las lecturas de este otoño', 'Cinco veladas con escritoras de la costa'],
    ],
  },
  ar: {
    site: 'كتب الميناء',
    description: 'كتب جديدة وقديمة من مكتبة صغيرة على شاطئ البحر',
    pages: 'عن المكتبة',
    posts: 'من غرفة القراءة',
    entries: [
      ['ساعات العمل في الصيف', 'متى تفتح المكتبة أبوابها ومتى تفتح غرفة القراءة'],
      ['كيف تصل إلينا', 'بالحافلة أو بالدراجة أو مشيًا على طول الشاطئ'],
      ['روايات للأمسيات الطويلة', 'اثنتا عشرة حكاية لم يستطع أحد هنا أن يتركها'],
      ['خرائط بحرية وأطالس قديمة', 'ما وصل إلينا هذا الشهر وكم ثمنه'],
      ['كتب للأيدي الصغيرة', 'كتب مصورة تتحمل حب الأطفال لها'],
      ['رسالة من ورشة التجليد', 'لماذا ما زلنا نخيط دفاترنا بأيدينا'],
      ['قراءات هذا الخريف', 'خمس أمسيات مع كاتبات من أهل الساحل'],
    ],
  },
  ja: {
    site: '港の本屋',
    description: '海辺の小さな店から、新しい本と古い本をお届けします',
    pages: '店について',
    posts: '読書室から',
    entries: [
      ['夏の営業時間', '店と読書室が開いている時間のお知らせです'],
      ['店への行き方', 'バスで、自転車で、水辺を歩いて'],
      ['長い夜のための小説', '誰も途中でやめられなかった十二の物語'],
      ['海図と古い地図', '先月届いたものと、その値段について'],
      ['小さな手のための本', '何度読んでも壊れない絵本を集めました'],
      ['製本所からの手紙', '今でもノートを手で縫っている理由'],
      ['この秋の朗読会', '海辺の町の作家たちと過ごす五つの夜'],
    ],
  },
}
