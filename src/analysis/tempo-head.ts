/**
 * What tells the usual tempo from the means of the network's layers (usual-tempo.ts), in octaves of one beat
 * a minute: by test/programs/trainers/tempo-head.ts from 1475 pieces; its README has the figures.
 */
export const TEMPO_HEAD: { readonly bias: number; readonly weights: string } = {
  bias: 5.282693835023384,
  weights: `
qrw4v0VVFj5Pdvs+oHgqP8lPIj+Ce2i7TWogv1xC474INGa+pnKxvVM+mj+DE0q+6q/wvlzxIkDC+RY/npgyv0fcTL15
Hl2/o1Q+P1/+FL8TQVQ/75E+vymJ/70S3Am+mSIrP7iMZj/N2Su/esz2vs8Klz08OSS/PqbyvxDMyr7KJaA/KKVyP75u
pj5s9VG+sh4Vv2pTTz+wcyw/jsTyPgKBAb90khq+iwOUPsxAJr8Awog++dtnv5B4qb34dXA/4iQsPv6F/ztfcqs+CTo9
wLfQXz2VWaw+grDUPnexn74vDQ4+YroGPmv8KD/pfUk+4DaePuKKjL4Xpjm8dQhKvufGbjv3YTy/YbyQvQufBj/2ZDu+
Meobv4WLH7/u66I9uFV0vcsfLL5unp0+kWMfPjyfpb5gY3G/GyhFP5OU2L3J+aO95pkuvq5HXr+6b4M+VWyEP4/l6765
UkS944mNPlKLcb49ZKe+QxP/vH1aFT2Tl7E+A6s0P/ZvjL+E484/j3levjcrDj7n1uw+K0iRvrmdx760M4o9p2pcP3mo
kT6RWSC+pABKPbU+ED5GBAQ+xwH5vr/6tT3aomY+7MjIvrV4ir6YGys+gWDmPa5NND6B9z6+dvAwPpvi7D2dCoc+V61x
PmJEbz4utNM8L+0UPUgbRb63rhQ/FMhYP6DO4j1AC6u+/k0uP2q8r73JCU491dIFvx+83b6yiHK9jFohvoI+Wr68e669
i7GmPh3OaT62mWG9uTtdPuEeyr0fHag73dkpvYsRObyE+Yk8C5RrvRddar7UR9G8XpeLPt8r0L4W3bY9HcqgvZ6shr5U
5V0+z6WOPs4EBr2aRHc9lKcbvhtfEL5QGV88IiGFPNj+7DwwlCi+KjiPPDa5hb3qZqq84A5/Pl4s2L25qWY9MXxUPmKK
jL2N9Iu9yDXWvZh/Yz6XSDs+0+UNvqYsQj24hYe99AFfva9uqb0paSa99vC1PJWzrb0EnJC8izbevcgQoz02/UW+ITnp
PVhcYD7mQ2u+Vx1SPWyTMjw8GI+9loMnPjjqkLznSLk9UNLjvU6OkL32q009pM4OPoi+bL1yRNo90zPAPpA4jD7dRQk+
hu3VvbiVUD6SFCa+CkL4vRIiYT6Okdm9VccoPdEzYz1c6ay8T490vIsWZj5SgRm9D8y+OzTCpD0IwPk8dlAYvsAPqryl
6V8+LRi6vovLBjxwejI+olrbPZF7zT0C6to92P3YPA95Qr38++y88YL7veDSuL1wZdq9bBKYPS2Bmj6bnSE9Wk8sPfnK
QDuQDjs9GQiau+z06bwcwta60FKBvIXN+D2KVLM+KjFGPtUymj2PF8K97nlHPqZlzD1oZQs+XjEtvkRGVj6ZRAo+zEXl
vdpvwz2Na4Q9g5NTvoMrnb2AjV69AQ0OPXWElr24mfi9f8ZIvdtADr4Q6kO8HpE9O8HTrj0Z8w6/R51gPxkIyb3z38m8
Fi+RvXLogb16mPq9rW8yvlx18T0tu2y8OHNBP+LLbb0vqA290S4Kvsc66DzRAVY8vzUQvJI6uLssWSS8ANfoPADyCbxb
E4M+O7eMuQ27ubv0SVdAqSGGvKzgXLpqEYq+PXVDvFb6VTukzhw9h9grPWXQK71dktQ6m6upPRxol75dP8s7yMOYPUgs
iT16Nde8tstvPWxbMT+rz9i72q3ZPJm/vLtW6R47aHC6PCaMnb4=
`,
}
