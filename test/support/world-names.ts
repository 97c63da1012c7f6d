/** A name as files and people write it. */
export interface WorldName {
  kind: string
  artist: string
  title: string
  /** `Artist — Title` of the song that is meant, or several, between bars; `undefined` if the catalogue lacks it. */
  song: string | undefined
}

type Row = readonly [artist: string, title: string, song?: string]

const FILES: readonly Row[] = [
  ['', 'ACDC-Thunderstruck-1990-XYZ', 'AC/DC — Thunderstruck'],
  ['', '01-metallica-enter_sandman-rns.mp3', 'Metallica — Enter Sandman'],
  ['', '104-dire_straits-walk_of_life-mtd', 'Dire Straits — Walk Of Life'],
  ['', '[www.muzon.ru] Scorpions - Wind Of Change', 'Scorpions — Wind Of Change'],
  ['', 'www.top40.net - Nirvana - Heart-Shaped Box', 'Nirvana — Heart-Shaped Box'],
  ['', 'Boney M. - Rasputin (zaycev.net).mp3', 'Boney M. — Rasputin'],
  ['', 'Roxette - The Look [mp3crop.com] 320kbps', 'Roxette — The Look'],
  ['', 'Nirvana - Come As You Are-vabnZ9-ex7o.mp3', 'Nirvana — Come As You Are'],
  ['', 'a-ha - Take on Me (Official 4K Music Video) [djV11Xbc914].webm', 'a-ha — Take on Me'],
  ['Metallica', 'Nothing Else Matters-tAGnKpE4NCI', 'Metallica — Nothing Else Matters'],
  [
    'Queen',
    'Disc 2 - 11 - Radio Ga Ga',
    'Queen — Radio Ga Ga - Remastered | Queen — Radio Ga Ga - 2011 Mix',
  ],
  ['Nirvana', 'CD1-05 Lithium', 'Nirvana — Lithium'],
  ['The Cure', '(Disc 1) 03. Close To Me', 'The Cure — Close To Me'],
  ['Coldplay', 'Disc 1, Track 4 - The Scientist', 'Coldplay — The Scientist'],
  ['', 'Dire%20Straits%20-%20Brothers%20In%20Arms.mp3', 'Dire Straits — Brothers In Arms'],
  ['', 'Bj%C3%B6rk+-+Human+Behaviour', 'Björk — Human Behaviour'],
  ['Coldplay - Topic', 'Orphans', 'Coldplay — Orphans'],
  ['LinkinParkVEVO', 'Numb (Official Music Video)', 'Linkin Park — Numb'],
  ['GunsNRosesVEVO', "Guns N' Roses - November Rain", "Guns N' Roses — November Rain"],
  ['Rihanna', 'Diamonds (Official Video) [HD] 320 kbps', 'Rihanna — Diamonds'],
  ['', 'Daft_Punk_-_Digital_Love_(128k).mp3', 'Daft Punk — Digital Love'],
  ['', 'Gorillaz_-_Feel_Good_Inc._(Official_Video)', 'Gorillaz — Feel Good Inc.'],
  ['', 'Moby - Porcelain (1).mp3', 'Moby — Porcelain'],
  ['', 'Moby - Natural Blues - Copy.mp3', 'Moby — Natural Blues'],
  ['', 'y2mate.com - Eminem  Darkness_320kbps.mp3', 'Eminem — Darkness'],
  [
    '',
    '/home/ann/Music/Fleetwood Mac/Greatest Hits (1988)/07 - Hold Me.flac',
    'Fleetwood Mac — Hold Me',
  ],
  ['', 'C:\\Music\\Eagles\\Hell Freezes Over\\03 Get Over It.wma', 'Eagles — Get Over It'],
  ['', 'Depeche Mode - Violator - 06 - Enjoy the Silence.flac', 'Depeche Mode — Enjoy the Silence'],
  ['', 'Depeche.Mode.-.Personal.Jesus.mp3', 'Depeche Mode — Personal Jesus'],
  ['', 'Björk - Army of Me (FLAC 24bit 96kHz)', 'Björk — Army of Me'],
  ['', '【MV】Rihanna - Disturbia', 'Rihanna — Disturbia'],
  ['', 'A1 Kraftwerk - Autobahn', 'Kraftwerk — Autobahn'],
  ['', 'Radiohead-Karma_Police-CDS-1997-iDF', 'Radiohead — Karma Police'],
  ['Michael Jackson', '12_-_michael_jackson_-_earth_song', 'Michael Jackson — Earth Song'],
  ['', 'Santana "Samba Pa Ti"', 'Santana — Samba Pa Ti'],
  [
    '',
    'Modern Talking - Cheri Cheri Lady | Official HD Video 1985',
    'Modern Talking — Cheri Cheri Lady',
  ],
]

const GUESTS: readonly Row[] = [
  ['Rihanna f/ Drake', 'Work', 'Rihanna, Drake — Work'],
  ['Eminem f/ Rihanna', 'Love The Way You Lie', 'Eminem, Rihanna — Love The Way You Lie'],
  ['Santana', 'Smooth f/ Rob Thomas', 'Santana — Smooth'],
  ['Coldplay w/ Rihanna', 'Princess Of China', 'Coldplay, Rihanna — Princess of China'],
  ['Linkin Park', 'Numb w/ Jay-Z', 'Linkin Park — Numb'],
  ['50 Cent f. Olivia', 'Candy Shop', '50 Cent, Olivia — Candy Shop'],
]

const SCRIPTS: readonly Row[] = [
  ['Кино', 'Группа крови', 'Kino — Группа крови'],
  ['Kino', 'Gruppa krovi', 'Kino — Группа крови'],
  ['Kino', 'Spokoynaya noch', 'Kino — Спокойная ночь'],
  ['Тату', 'Нас не догонят', 't.A.T.u. — Nas Ne Dagoniat'],
  ['Slava Marlow', 'Snova ya napivayus', 'SLAVA MARLOW — Снова я напиваюсь'],
  ['Скриптонит', 'Оттенки', 'Scriptonite — Оттенки'],
  ['ВИА Гра', 'Бомба', 'VIA Gra — Бомба'],
  ['Металлика', 'Энтер Сэндмэн', 'Metallica — Enter Sandman'],
  ['Модерн Токинг', 'Brother Louie', 'Modern Talking — Brother Louie'],
  ['Mayot', 'Forsazh', 'MAYOT — Форсаж (Prod. by Sqweezey x Nest)'],
  ['Άννα Βίσση', 'Δεν με αγαπάς', 'Anna Vissi — Den Me Agapas'],
  ['Έλενα Παπαρίζου', 'Dancing Without Music', 'Helena Paparizou — Dancing Without Music'],
  [
    'Μίκης Θεοδωράκης',
    'Se pótisa rodóstamo',
    'Mikis Theodorakis — Se pótisa rodóstamo (I gave you rose-water to drink)',
  ],
  ['坂本龍一', 'Merry Christmas Mr. Lawrence', 'Ryuichi Sakamoto — Merry Christmas Mr. Lawrence'],
  ['宇多田ヒカル', 'One Last Kiss', 'Hikaru Utada — One Last Kiss'],
  ['YOASOBI', 'Yoru ni Kakeru', 'YOASOBI — 夜に駆ける'],
  ['Aimyon', 'Marigold', 'Aimyon — マリーゴールド'],
  ['あいみょん', 'Hadaka no Kokoro', 'Aimyon — 裸の心'],
  ['Yoasobi', 'Encore', 'YOASOBI — アンコール'],
  ['Yuuri', 'Dry Flower', '優里 — ドライフラワー'],
  ['ヨアソビ', '怪物', 'YOASOBI — 怪物'],
  ['Ado', 'Usseewa', 'Ado — うっせぇわ'],
  ['فيروز', 'وحدن', 'Fairuz — Wahdon'],
  ['عمرو دياب', 'الدنيا الحلوة', 'Amr Diab — El Donia El Helwa'],
  ['Wegz', 'Wahed w Eshreen', 'Wegz — واحد وعشرين'],
  ['ويجز', 'دورك جي', 'Wegz — دورك جي'],
  ['رشيد طه', 'يا رايح', 'Rachid Taha — Ya Rayah'],
  ['Wegz', 'Dorak Gai', 'Wegz — دورك جي'],
  ['עפרה חזה', 'גלבי', 'Ofra Haza — גלבי'],
  ['Ofra Haza', 'Gabriel', 'Ofra Haza — גבריאל'],
  ['Ishay Ribo', 'Sibat Hasibot', 'Ishay Ribo — סיבת הסיבות'],
  ['זוהר ארגוב', 'ילדתי', 'Zohar Argov — ילדתי'],
  ['싸이', '강남스타일', 'PSY — Gangnam Style (강남스타일) | PSY — Gangnam Style'],
  ['아이유', 'Blueming', 'IU — Blueming'],
  ['Michael Wong', 'Tong Hua', 'Michael Wong — 童話'],
  ['Hins Cheung', 'Chun Qiu', 'Hins Cheung — 春秋'],
]

const CLASSICAL: readonly Row[] = [
  [
    'Beethoven',
    'Beethoven: Symphony No. 5 in C Minor, op.67: I. Allegro con brio',
    'Ludwig van Beethoven — Symphony No. 5 in C Minor, Op. 67: 1. Allegro con brio | Ludwig van Beethoven — Symphony No. 5 in C Minor, Op. 67: I. Allegro con brio - Remastered',
  ],
  [
    'Seong-Jin Cho',
    'Piano Concerto No.2 in F minor, op.21 - 3. Allegro vivace',
    'Frédéric Chopin, Seong-Jin Cho, London Symphony Orchestra, Gianandrea Noseda — Piano Concerto No. 2 in F Minor, Op. 21: III. Allegro vivace',
  ],
  [
    'Malcolm Arnold',
    'Arnold: Concerto for Clarinet & Strings op.20 - I. Allegro',
    'Malcolm Arnold — Concerto for Clarinet and Strings, Op. 20: I. Allegro',
  ],
  [
    'Camille Saint-Saëns',
    'Samson and Delilah op.47: Bacchanale',
    'Camille Saint-Saëns — Samson et Dalila, Op. 47: Bacchanale',
  ],
  [
    'Mozart',
    'Symphonie Nr. 36 C-Dur KV 425 "Linzer" - 4. Presto',
    'Wolfgang Amadeus Mozart — Symphony No. 36 in C Major, K. 425 "Linz": IV. Presto',
  ],
  [
    'Academy of St Martin-in-the-Fields',
    'Grieg: Peer Gynt Suite #1, Op.46: Anitra’s Dance',
    "Academy of St. Martin in the Fields — Peer Gynt Suite No.1 op. 46 Anitra's Dance (Tempo di Mazurka)",
  ],
  [
    'Jean Sibelius',
    'Symphony No. 2 in D, op. 43: 4. Finale (Allegro moderato)',
    'Jean Sibelius — Symphony No. 2 in D Major, Op. 43: IV. Finale. Allegro moderato',
  ],
  [
    'Antonin Dvorak',
    'Symphony #9 in E minor, Op.95 "From the New World" - 1. Adagio / Allegro molto',
    'Antonín Dvořák — Symphony No. 9 in E Minor, Op. 95, B. 178 "From the New World": I. Adagio - Allegro molto',
  ],
  [
    'J.S. Bach',
    'Toccata and Fugue in d minor BWV 565 - Toccata',
    'Johann Sebastian Bach — Toccata & Fugue in D Minor, BWV 565: Toccata',
  ],
  [
    'Chopin',
    'Nocturne op. 9 no. 2 in E-flat',
    'Frédéric Chopin — Nocturne No. 2 in E-Flat Major, Op. 9 No. 2 | Frédéric Chopin — Nocturnes, Op. 9: No. 2 in E-Flat Major. Andante',
  ],
  [
    'Edvard Grieg',
    'Klavierkonzert a-moll op. 16: 2. Adagio',
    'Edvard Grieg — Piano Concerto in A Minor, Op. 16: II. Adagio - Remastered',
  ],
  [
    'Сергей Рахманинов',
    'Piano Concerto No.3 in D minor, op.30 - 3. Finale',
    'Sergei Rachmaninoff — Piano Concerto No. 3 in D Minor, Op. 30: III. Finale: Allegro',
  ],
]

const OTHERS: readonly Row[] = [
  ['Rihanna', 'Dont Stop The Music', "Rihanna — Don't Stop The Music"],
  ['Bjork', 'Its Oh So Quiet', "Björk — It's Oh so Quiet"],
  ['GUNS N ROSES', "Sweet Child O'Mine (Lyrics)", "Guns N' Roses — Sweet Child O' Mine"],
  ['Beyonc\u0065\u0301', 'Halo', 'Beyoncé — Halo'],
  ['The Cure', 'friday im in love ★', "The Cure — Friday I'm in Love"],
  [
    'Ｑｕｅｅｎ',
    'Ｒａｄｉｏ　Ｇａ　Ｇａ',
    'Queen — Radio Ga Ga - Remastered | Queen — Radio Ga Ga - 2011 Mix',
  ],
]

/** Names that must find nothing. */
const STRANGERS: readonly Row[] = [
  ['', 'ACDC-Thunderstorm-1990-XYZ'],
  ['', 'Metallica - Enter Sandstorm-kXYiU_JCYtU.mp3'],
  ['', '[www.muzon.ru] Scorpions - Winds of Winter'],
  ['Coldplay - Topic', 'Orphan Tears'],
  ['LinkinParkVEVO', 'Dumb (Official Music Video)'],
  ['', 'Nirvana - Come As You Are (Karaoke Version) [320kbps].mp3'],
  ['', 'Disc 2 - 11 - Untitled'],
  ['Queen', 'Disc 2 - 11 - Bonus Track'],
  ['', '01-unknown_artist-track_01-rns.mp3'],
  ['', 'Track 07.mp3'],
  ['', 'dQw4w9WgXcQ'],
  ['', 'videoplayback (1).mp4'],
  ['', 'New Recording 12.m4a'],
  ['', 'www.muzon.ru'],
  ['', 'AUD-20190312-WA0004.mp3'],
  ['', '320kbps.mp3'],
  ['', '/home/ann/Music/Fleetwood Mac/Rumours/99 - Secret Handshake.flac'],
  ['Moby', 'Porcelain (Live at Wembley)'],
  ['', 'Daft_Punk_-_Digital_Hate_(128k).mp3'],
  ['', 'Boney M. - Rasputin (Nightcore) (zaycev.net).mp3'],
  ['Кино', 'Перемен'],
  ['Kino', 'Gruppa slona'],
  ['Kino', 'Pachka sigaret'],
  ['Тату', 'Нас не забудут'],
  ['Металлика', 'Энтер Сэндсторм'],
  ['Скриптонит', 'Оттепель'],
  ['Άννα Βίσση', 'Δεν με ξέρεις'],
  ['坂本龍一', 'Happy New Year Mr. Lawrence'],
  ['坂本真綾', 'Rain'],
  ['YOASOBI', 'Yoru ni Oyogu'],
  ['Aimyon', 'Margarine'],
  ['فيروز', 'نسم علينا الهوى'],
  ['عمرو دياب', 'تملي معاك'],
  ['عمرو خالد', 'الدنيا الحلوة'],
  ['עפרה חזה', 'חי'],
  ['Ofra Haza', 'Gavriela'],
  ['아이유', '좋은 날'],
  ['이무진', 'Blueming'],
  ['Beethoven', 'Symphony No. 7 in A, op.92: II. Allegretto'],
  ['Beethoven', 'Symphony No. 5 in C minor, op.67: III. Scherzo'],
  ['Chopin', 'Nocturne op. 9 no. 3 in B'],
  ['Sibelius', 'Symphony No. 3 in C, op. 52: II. Andantino'],
  ['Edvard Grieg', 'Klavierkonzert a-moll op. 17: 2. Adagio'],
  ['Mozart', 'Symphonie Nr. 38 D-Dur KV 504 "Prager" - 3. Presto'],
  ['Krystian Zimerman', 'Piano Concerto No.2 in F minor, op.21 - 3. Allegro vivace'],
  ['Rihanna f/ Jay-Z', 'Work It Out'],
  ['Rammstein', 'Mein Herz lacht'],
  ['Vitamin String Quartet', 'Smells Like Teen Spirit (Tribute to Nirvana)'],
]

const of = (kind: string, rows: readonly Row[]): WorldName[] =>
  rows.map(([artist, title, song]) => ({ kind, artist, title, song }))

/** How files and people all over the world write the names of songs. */
export const WORLD_NAMES: readonly WorldName[] = [
  ...of('files', FILES),
  ...of('guests', GUESTS),
  ...of('scripts', SCRIPTS),
  ...of('classical', CLASSICAL),
  ...of('others', OTHERS),
  ...of('strangers', STRANGERS),
]

/** Every third name was looked at only when all else was done. */
export const isHeldBack = (i: number): boolean => i % 3 === 2
