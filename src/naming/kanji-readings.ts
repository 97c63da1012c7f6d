/** Japanese readings of frequent signs, without the endings in kana. */
const KANJI_LIST = `
一ichi,hito,itsu,kazu,i 二ni,futa,ji 三san,mi,zo,zou 四shi,yon,yo 五go,itsu 六roku,mu 七nana,shichi 八hachi,ya 九kyu,kyuu,ku,kokono
十ju,juu,to,too 百hyaku,momo 千sen,chi 万man,ban 半han,naka 円en,maru 年nen,toshi 月tsuki,getsu,gatsu,zuki 日hi,nichi,bi,ka,ni,jitsu
火hi,ka,bi 水mizu,sui,mi 木ki,moku,gi,ko 金kin,kane,kana,gane 土tsuchi,do,to 曜yo,you 春haru,shun 夏natsu,ka 秋aki,shu,shuu 冬fuyu,to,tou
朝asa,cho,chou 昼hiru,chu 夕yu,yuu 夜yoru,yo,ya 晩ban 今ima,kon,kyo 昨saku,kino 明aka,a,mei,akari,myo,aki,ake 時toki,ji,doki 間aida,ma,kan,gen
分bun,fun,wa 秒byo,byou 空sora,ku,kuu,kara,zora 星hoshi,sei,boshi 雲kumo,un,gumo 雨ame,u,ama,same 雪yuki,setsu 風kaze,fu,fuu,kaza 雷kaminari,rai
嵐arashi,ran 虹niji,ko 光hikari,hika,ko,kou,mitsu 影kage,ei 闇yami,an 太ta,tai,futo 陽yo,you,hi,haru 天ten,ama,ame 地chi,ji 海umi,kai,mi 川kawa,gawa,sen
山yama,san,zan 谷tani,ya,dani 森mori,shin 林hayashi,rin,bayashi 野no,ya 原hara,gen,wara,bara,haru 田ta,da,den 町machi,cho,chou 村mura,son 街machi,gai
島shima,jima,to,tou 島shima,jima 浜hama,hin 波nami,ha 岸kishi,gan 岡oka,ko 崎saki,zaki 坂saka,zaka,han 橋hashi,bashi,kyo,kyou 道michi,do,dou,ji
路ji,ro,michi 駅eki 車kuruma,sha 電den 船fune,sen,funa 港minato,ko,kou 国kuni,koku 京kyo,kyou,kei 都to,miyako,tsu 東higashi,to,tou,azuma
西nishi,sei,sai 南minami,nan 北kita,hoku 上ue,jo,jou,a,kami,nobo 下shita,ka,ge,shimo,kuda,sa 左hidari,sa 右migi,u 中naka,chu,chuu,juu 外soto,gai,hoka
内uchi,nai 前mae,zen 後ato,go,ushi,nochi 先saki,sen 横yoko,o 大dai,tai,o,oo,ou,hiro,masa 小ko,o,chi,chii,sho,shou 高taka,ko,kou 低hiku,tei 長naga,cho,chou
短mijika,tan 新shin,ara,atara,nii 古furu,ko 若waka,jaku 白shiro,haku,shira 黒kuro,koku 赤aka,seki 青ao,sei,jo,jou 緑midori,ryoku 黄ki,ou,o,kou
紫murasaki,shi 紅kurenai,beni,ko,kou 色iro,shoku,shiki 花hana,ka,bana 華hana,ka 桜sakura,zakura,o 薔ba 薇ra 梅ume,bai 菊kiku 蓮hasu,ren 葉ha,ba,you,yo 草kusa,so,sou
樹ki,ju,jyu 竹take,chiku 松matsu,sho 杉sugi 藤fuji,to,tou,do 根ne,kon 実mi,jitsu,mino 果ka,ha 種tane,shu 鳥tori,cho,chou,dori 鶴tsuru 羽hane,ha,wa,u
翼tsubasa,yoku 魚sakana,gyo,uo 犬inu,ken 猫neko 馬uma,ba 鹿shika,ka 虎tora,ko 龍ryu,ryuu,tatsu 竜ryu,ryuu,tatsu 蝶cho,chou 虫mushi,chu 熊kuma 狼okami,ookami
人hito,jin,nin,bito 男otoko,dan,o 女onna,jo,me 子ko,shi,su 僕boku 私watashi,shi,wata 君kimi,kun 俺ore 彼kare,kano 誰dare 友tomo,yu,yuu 達tachi,tatsu
親oya,shin 父chichi,fu,to 母haha,bo,ka 兄ani,kei 弟ototo,otouto,tei 姉ane 妹imoto,imouto 家ie,ya,ka,uchi 族zoku 王o,ou 姫hime 神kami,shin,kan,jin
仏hotoke,butsu 鬼oni,ki 魔ma 魂tamashii,tamashi,kon 霊rei 命inochi,mei 心kokoro,shin,gokoro 体karada,tai 身mi,shin 頭atama,to 顔kao,gao 目me,moku,ma
眼me,gan 耳mimi,ji 口kuchi,ko,kou,guchi 手te,shu,ta 足ashi,soku,ta 指yubi,shi 髪kami,gami 声koe,sei,goe 涙namida,rui 血chi,ketsu 肌hada 胸mune,kyo 腕ude
愛ai,mana,ito 恋koi,ren,goi 好su,ko,kou,yoshi 嫌kira,iya 情jo,jou,nasa 想omo,so,sou 思omo,shi 願nega,gan 夢yume,mu 希ki,nozomi 望nozo,bo,bou,nozomi
幸shiawa,sachi,ko,kou,yuki 福fuku 楽tano,raku,gaku 喜yoroko,ki 怒ika,do 哀ai,kana 悲kana,hi 寂sabi,jaku,sami 淋sabi,sami 苦kuru,niga,ku 痛ita,tsu
優yu,yuu,yasa,masa,sugu 美bi,utsuku,mi,yoshi 麗rei,uruwa 綺ki 可ka 強tsuyo,kyo,kyou 弱yowa,jaku 正tada,masa,sei,sho,shou 真shin,ma,masa,mako 本hon,moto,bon 当a,to,tou
嘘uso 偽nise,gi 秘hi 密mitsu,hiso 言i,koto,gen,go 葉ha,ba 話hana,wa,hanashi 語kata,go 歌uta,ka 唄uta 曲kyoku,ma 音oto,on,ne,oto 楽raku,gaku,tano 奏kana,so,sou
踊odo,yo 舞mai,bu,ma 詩shi,uta 文bun,fumi,mon 字ji 手te 紙kami,shi,gami 絵e,kai 本hon,moto 声koe 名na,mei 写utsu,sha 真ma,shin
見mi,ken 観mi,kan 聞ki,bun 聴ki,cho,chou 知shi,chi 分wa,bun 感kan 覚obo,sa,kaku 忘wasu,bo,bou 記ki,shiru 憶oku 考kanga,ko 信shin,nobu 疑utaga,gi
行i,yu,ko,kou,gyo,yuki 来ki,ku,rai,kuru 帰kae,ki 出de,da,shutsu 入i,hai,nyu,iri 立ta,ritsu,tachi 止to,ya,tome,shi 歩aru,ayu,ho 走hashi,so,sou 駆ka,ku,kake 飛to,hi,tobi 落o,raku,oto
降fu,o,ko,kou 昇nobo,sho,shou 登nobo,to 回mawa,kai 開hira,a,kai 閉to,shi,hei 始haji,shi,hajime 終o,shu,shuu,owa 待ma,tai,matsu 会a,kai,e,ai 逢a,ai 別waka,betsu
離hana,ri 出de,da 消ki,ke,sho,shou 生i,u,sei,nama,sho,iki,ki 死shi 殺koro,satsu 泣na,kyu 笑wara,e,sho,shou,ni 叫sake 歌uta,ka 抱da,ida,ho,hou 触fu,sawa 握nigi
持mo,ji,mochi 届todo 送oku,so 返kae,hen 続tsuzu,zoku 変ka,hen,kawa 繋tsuna 結musu,ketsu,yu,yui 解to,ka,kai,hodo 燃mo,nen 焼ya,sho,yaki 溶to,yo 流naga,ryu,ryuu
揺yu,yo 輝kagaya,ki,teru 煌kirame 咲sa,saki,zaki 散chi,san 枯ka,ko 染so,sen,some,zome 濡nu 乾kawa,kan 満mi,man,mitsu 欠ka,ke 失ushina,shitsu 探saga,tan 求moto,kyu
遠to,too,en 近chika,kin 深fuka,shin 浅asa,sen 広hiro,ko,kou 狭sema 重omo,ju,e,kasa 軽karu,kei 速haya,soku 早haya,so,sou 遅oso,chi 熱atsu,netsu 冷tsume,rei,hi,sa 暖atata 寒samu,kan
暑atsu 甘ama,kan 辛kara,tsura 痛ita 毒doku 薬kusuri,yaku 酒sake,shu,zake 茶cha,sa 水mizu,sui 米kome,yone,bei 味aji,mi 香kao,ka,ko,kou,kaori 匂nio
少suko,suku,sho,shou 多o,oo,ta 全zen,subete,matta 部bu,be 何nani,nan 毎mai 永ei,naga 久hisa,kyu,kyuu 遠en,too 未mi 過su,ka,sugi 去sa,kyo,ko 現gen,arawa 在zai,ari
世se,yo,sei 界kai 宇u 宙chu,chuu 彗sui 星sei,hoshi 銀gin 河kawa,ga 惑waku,mado 流ryu,naga 平hei,hira,taira,bei 和wa,kazu,kazu 成nari,sei,na 昭sho,shou 令rei
戦ta,sen,tataka,ikusa 争araso,so 勝ka,sho,katsu,masa 負ma,o,fu 力chikara,ryoku,riki 武take,bu,mu 士shi 刀katana,to,tou 剣ken,tsurugi 弓yumi 矢ya 撃u,geki 破yabu,ha 壊kowa,kai 爆ha,baku
怪kai,aya,ke 物mono,butsu,motsu 獣kemono,ju,juu 群mu,gun,mura 青ao,sei,gun 三san,mi 浪ro,rou,nami 漫man 点ten 描ka,byo,byou,ega 不fu,bu 議gi 思shi,omo 超cho,chou,ko
学gaku,mana 校ko,kou 生sei 徒to 先sen 教oshi,kyo,kyou 室shitsu 員in 同ona,do,dou 窓mado,so,sou 扉tobira 部bu,he 屋ya,oku 店mise,ten 場ba,jo,jou 所tokoro,sho,jo 宿yado,shuku,juku
公ko,kou 園en,sono 都to 市shi,ichi 東to 京kyo 渋shibu 谷ya 池ike 袋bukuro 原hara 宿juku 城shiro,jo,ki 寺tera,ji,dera 宮miya,gu,kyu 社yashiro,sha 神jin
裸hadaka,ra 悪waru,aku 罪tsumi,zai 罰batsu,bachi 傷kizu,sho 狂kuru,kyo,kyou 乱mida,ran 静shizu,sei,jo 騒sawa,so 恐oso,kyo 怖kowa,fu 憂yuu,u,ure 鬱utsu 孤ko 独hito,doku 隣tonari,rin
絆kizuna 約yaku 束soku,taba,tsuka 誓chika 祈ino,ki,inori 祭matsu,sai,matsuri 祝iwa 奇ki 跡ato,seki 魅mi 惚ho 迷mayo,mei 彩sai,irodo,aya 虚kyo,kyou 無mu,na,bu 有yu,yuu,a,ari
夢yume 幻maboroshi,gen 現gen 実jitsu 鏡kagami,kyo 硝ga 子rasu,ko 宝takara,ho,hou 石ishi,seki 玉tama,gyoku,dama 糸ito,shi 絨ju,juu 毯tan 布nuno,fu 服fuku 靴kutsu,gutsu 傘kasa,gasa
鈴suzu,rin 鐘kane,sho 笛fue 弦gen,tsuru 琴koto 鼓ko,tsuzumi 太ta 機ki 械kai 時ji 計kei 線sen 電den 話wa 灯hi,akari,to,tou,ka 線sen
山yama 本moto,hon 佐sa 藤to,tou 鈴suzu 木ki 伊i 渡wata 辺be,nabe 加ka 吉yoshi,kichi 井i,sei 井i 木ki 斎sai 清kiyo,sei 橋hashi 阿a 部be 石ishi 川kawa 前mae 後go 近kon 遠en
中naka 島jima 村mura 坂saka 本moto 青ao 福fuku 原wara 三mi 岡oka 松matsu 浦ura 竹take 内uchi 細hoso 野no 臣omi,shin 晴hare,haru,sei 椎shii,shi 名na 林rin 檎go 宇u 多ta 久hisa 譲jo,joe 米yone 津zu,tsu 玄ken,gen 師shi
達tatsu 郎ro,rou 矢ya 沢zawa,sawa 永ei 吉kichi 隆taka,ryu 司shi,ji,tsukasa 桑kuwa 佳kei,ka,yoshi 祐suke,yu,yuu 尾o 崎saki,zaki 豊yutaka,toyo,yuta 浜hama 歩ayu,mi 倉kura 麻ma,asa 衣i,koromo 安an,yasu 室muro 奈na
恵e,megu,kei 聖sei,sato 松matsu 任to 谷ya 由yu,yoshi 実mi 荒ara 井i 陽yo,sui 水sui 井i 上ue 喜ki 納na 昌sho,shou,masa 吉kichi 坂saka 九kyu 美mi 空sora 雲kumo 智tomo,chi 裕hiro,yu,yuu 之yuki,no 彦hiko 雄o,yu,yuu 夫o 介suke 輔suke 助suke,jo
太ta 亮ryo,ryou 翔sho,shou 健ken,take 賢ken 謙ken 浩hiro,ko,kou 弘hiro,ko 博hiro,haku 宏hiro 英hide,ei 秀hide,shu 俊toshi,shun 敏toshi 和kazu 明aki 昭aki 彰aki 章aki,sho 哲tetsu 也ya 哉ya 弥ya 直nao,choku 尚nao,sho 孝taka 貴taka,ki 崇taka
博hiro 誠makoto,sei 真ma 雅masa,miya 政masa 昌masa 修shu,osamu 進susumu,shin 純jun 潤jun 淳jun,atsushi 順jun 信nobu 伸nobu,shin 宣nobu 里sato,ri,li 梨ri,nashi 理ri 莉ri 織ori 香ka 佳ka 花ka 奈na 菜na 那na 紀ki,nori 規nori 典nori 則nori 徳nori,toku
絵e 江e 恵e 枝e,eda 沙sa 紗sa 咲saki 早sa 佐sa 加ka 嘉ka 千chi 智chi 知tomo 朋tomo 友tomo 悠yu,yuu 結yui 唯yui 亜a 彩aya 綾aya 文fumi 史fumi,shi 郁iku 育iku 瑠ru 璃ri 留ru 玲rei 礼rei,aya 澪mio 葵aoi 遥haruka 凛rin 凜rin 蒼ao,so 涼ryo,ryou,suzu 諒ryo
`

const READINGS_BY_SIGN = new Map<string, readonly string[]>()
for (const [, sign = '', readings = ''] of KANJI_LIST.matchAll(/(\p{Script=Han})([a-z,]+)/gu)) {
  READINGS_BY_SIGN.set(sign, [
    ...new Set([...(READINGS_BY_SIGN.get(sign) ?? []), ...readings.split(',')]),
  ])
}

export function kanjiReadings(sign: string): readonly string[] {
  return READINGS_BY_SIGN.get(sign) ?? []
}
