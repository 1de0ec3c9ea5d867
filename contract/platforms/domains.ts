/**
 * Top-level domains after which a bare address such as example.com is shown as a link: all of countries and the common
 * others. The official app asks the full list of IANA; what is missing here needs its https:// written out.
 */
const countries =
  'ac ad ae af ag ai al am ao ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'
const others =
  'academy agency app art arpa asia band bank beer berlin best bike bio biz blog blue buzz cafe camp capital care cat center chat church city click cloud club coffee com community company computer cool coop courses cricket day design dev digital earth edu education email energy engineer events exchange expert family fans farm fashion film finance fish fit foundation fun fund fyi gallery game games garden global gold gov green group guide guru health help hiring host hotel house icu inc info ink int international jobs kids land lat law legal life limited link live loan lol london love ltd market marketing media mil mobi moe money moscow movie museum music name net network news ngo ninja nyc one ong online org page paris partners party photo photography photos pics pink plus press pro productions property pub radio red rent report rest restaurant review reviews rocks run sale school science services sex shop show singles site ski social software solutions space sport store stream studio style support surf systems taxi team tech technology tel theater tips today tokyo top tours town toys trade training travel tube university vacations ventures video vip vision vote watch water website wiki win wine work works world wtf xxx xyz yoga zone'

const known = new Set(`${countries} ${others}`.split(' '))

/** Whether a name such as www.example.com ends in a domain that people know as an address. */
export function isKnownDomain(name: string): boolean {
  return known.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}
