import { dictionary } from '../values/text.ts'

/**
 * Latin spellings in several romanizations, the usual one first; other letters are left to a
 * library.
 */
const SPELLINGS_BY_LETTER = dictionary(`
а:a б:b в:v,w,u г:g,h д:d дж:j,dj,dzh,g е:e,ye,ie ж:zh,j,g,z з:z,s и:i,y к:k,c,q,ck,ch кс:x,ks,cks л:l м:m
н:n о:o п:p р:r с:s т:t,th у:u,w,ou,oo ф:f,ph,th х:kh,h,x,ch ц:ts,c,tz,cz,z ч:ch,tch,c,cz ш:sh,s,sch
щ:shch,sch,sh,sht ъ:,a ы:y,i,u ь:,i э:e,a ю:yu,u,iu,ju я:ya,a,ia,ja і:i,y ї:yi,i є:ye,e,ie ґ:g ђ:dj
ј:j,y љ:lj,ly њ:nj,ny ћ:c,ch џ:dz,dj,j ў:w,u ә:a,e ғ:g,gh қ:q,k ң:n,ng ө:o,u ү:u ұ:u һ:h

α:a β:v,b γ:g,gh,y δ:d,dh ε:e,ai ζ:z η:i,e,h θ:th,t ι:i κ:k,c λ:l μ:m ν:n ξ:x,ks ο:o π:p ρ:r,rh σ:s
τ:t υ:y,i,u φ:f,ph χ:ch,h,x,kh ψ:ps ω:o,w μπ:b,mp,mb ντ:d,nt,nd γκ:g,gk,ng γγ:ng,gg ου:ou,u
αυ:av,af,au ευ:ev,ef,eu αι:e,ai ει:i,ei οι:i,oi τσ:ts τζ:tz,j,dz

א:,a,e ב:b,v ג:g,j ד:d ה:h,,a ו:v,o,u,w ז:z ח:h,ch,kh ט:t י:y,i,,j כ:k,kh,ch,c ך:kh,k,ch ל:l מ:m ם:m
נ:n ן:n ס:s ע:,a,e פ:p,f,ph ף:f,ph צ:tz,ts,z ץ:tz,ts,z ק:k,q,c ר:r ש:sh,s ת:t,th

ا:a,,e,i أ:a,e,,o إ:i,e,a آ:a,aa ٱ:a ء:,a,2 ئ:i,y,e ؤ:u,o ب:b,p پ:p ت:t ث:th,s,t ج:j,g,dj چ:ch,g ح:h,7
خ:kh,h,5,7 د:d ذ:d,z,dh,th ر:r ز:z ژ:zh,j س:s ش:sh,ch,s ص:s,9 ض:d,z ط:t,6 ظ:z,d,th ع:,a,3,e غ:gh,g,r
ف:f,v,ph ڤ:v ق:q,k,g,,2,8 ك:k,c,q ک:k,c,q گ:g ل:l م:m ن:n ه:h,,a,e و:w,u,o,ou,v,oo ي:y,i,e,,ee,ai
ی:y,i,e,,ee,ai ى:a,i,e ة:a,ah,h,e,t,eh لا:la

あ:a い:i う:u え:e お:o か:ka,ca き:ki く:ku,k,c け:ke こ:ko,co が:ga ぎ:gi ぐ:gu,g げ:ge ご:go さ:sa,tha
し:shi,si す:su,s せ:se そ:so ざ:za,tha じ:ji,zi,j,gi,dge ず:zu,z,s,th ぜ:ze ぞ:zo た:ta ち:chi,ti
つ:tsu,tu,t,ts て:te と:to,t だ:da ぢ:ji,di づ:zu,du,dzu で:de ど:do,d な:na に:ni ぬ:nu ね:ne の:no は:ha,wa
ひ:hi ふ:fu,hu,f,ph へ:he,e ほ:ho ば:ba,va び:bi,vi ぶ:bu,b,v べ:be,ve ぼ:bo,vo ぱ:pa ぴ:pi ぷ:pu,p ぺ:pe
ぽ:po ま:ma み:mi む:mu,m め:me も:mo や:ya ゆ:yu よ:yo ら:ra,la り:ri,li る:ru,r,l,lu れ:re,le ろ:ro,lo
わ:wa ゐ:i,wi ゑ:e,we を:o,wo ん:n,m ゔ:v,vu,b っ:, ー:,r ぁ:a ぃ:i ぅ:u ぇ:e ぉ:o ゃ:ya ゅ:yu ょ:yo ゎ:wa`)

const HANGUL = {
  first: 0xac00,
  last: 0xd7a3,
  initials:
    'g,k kk,gg,k n d,t tt,dd,t r,l m b,p,v pp,bb,p s,sh ss,s , j,ch,z jj,ch,tch ch,j k,c,kh t,th p,f,ph h',
  vowels:
    'a ae,e,a ya yae,ye eo,u,o,e e yeo,you,yu,yo ye,e o wa wae oe,we yo,yoo u,oo,woo wo,weo we wi,ui yu,yoo,u eu,u, ui,eui i,ee,y',
  finals:
    'k,g,c k,kk ks n nj,n nh,n t,d l,r lk,k lm,m lb l lt lp lh,l m p,b,v ps t,s ss,t,s ng t,j t,ch k t p,f t,',
} as const

const spellingsIn = (list: string) => list.split(' ').map((spellings) => spellings.split(','))
const HANGUL_INITIALS = spellingsIn(HANGUL.initials)
const HANGUL_VOWELS = spellingsIn(HANGUL.vowels)
const HANGUL_FINALS = [[], ...spellingsIn(HANGUL.finals)]

/** `undefined` for signs that are no Korean syllable. */
export function syllableSpellings(sign: string): (readonly string[])[] | undefined {
  const code = (sign.codePointAt(0) ?? 0) - HANGUL.first
  if (code < 0 || code > HANGUL.last - HANGUL.first) return undefined
  const end = code % HANGUL_FINALS.length
  const vowel = ((code - end) / HANGUL_FINALS.length) % HANGUL_VOWELS.length
  const initial = Math.floor(code / (HANGUL_FINALS.length * HANGUL_VOWELS.length))
  return [HANGUL_INITIALS[initial], HANGUL_VOWELS[vowel], HANGUL_FINALS[end]].filter(
    (spellings): spellings is string[] => spellings !== undefined && spellings.length > 0,
  )
}

export function letterSpellings(letters: string): readonly string[] | undefined {
  return SPELLINGS_BY_LETTER[letters]?.split(',')
}
