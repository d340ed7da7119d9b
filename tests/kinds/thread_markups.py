"""Threads in the markups of systems that many sites use, cut down to what matters.

Of each: what stands around the posts (``*`` for them) and a post, with ``$author``, ``$date``,
``$iso``, ``$text`` and ``$n``.
"""

from string import Template

FRAME = (
    "<!DOCTYPE html><html lang=en><head><title>Leaking kettle</title></head><body>"
    "<div id=top><ul class=nav><li><a href='/'>Home</a><li><a href='/faq'>Questions</a>"
    "<li><a href='/login'>Log in</a></ul></div><h1>Leaking kettle</h1>{}"
    "<div id=footer><a href='/imprint'>Imprint</a> Powered by boards</div></body></html>"
)

MARKUPS = {
    "vbulletin-3": (
        "<div id=posts>*</div>",
        "<div class=page><table class=tborder id=post$n><tr><td class=thead><a name=post$n></a>"
        "$date</td><td class=thead align=right>#<a href='showpost.php?p=$n'><strong>$n</strong></a>"
        "</td></tr><tr><td class=alt2 width=175><div id=postmenu_$n><a class=bigusername "
        "href='member.php?u=7$n'>$author</a></div><div class=smalltext>Senior Member</div>"
        "<div class=smalltext><div>Join Date: Mar 2004</div><div>Posts: 1,204</div></div></td>"
        "<td class=alt1 id=td_post_$n><div id=post_message_$n>$text</div>"
        "<div>__________________<br>Boil on</div></td></tr></table></div>",
    ),
    "vbulletin-4": (
        "<ol id=posts class=posts>*</ol>",
        "<li class='postbitlegacy postbitim postcontainer' id=post_$n><div class=posthead>"
        "<span class='postdate old'><span class=date>$date</span></span>"
        "<span class=nodecontrols><a class=postcounter href='showthread.php?t=1#post$n'>#$n</a>"
        "</span></div><div class=postdetails><div class=userinfo><div class=username_container>"
        "<a class='username offline popupctrl' href='members/$n-x'><strong>$author</strong></a>"
        "</div><span class=usertitle>Member</span><dl class=userinfo_extra><dt>Join Date</dt>"
        "<dd>Mar 2004</dd><dt>Posts</dt><dd>204</dd></dl></div><div class=postbody>"
        "<div class=content><div id=post_message_$n><blockquote class='postcontent restore'>$text"
        "</blockquote></div></div></div></div><div class=postfoot><a href='newreply.php?p=$n'>"
        "Reply With Quote</a></div></li>",
    ),
    "phpbb-2": (
        "<table class=forumline><tr><th>Author</th><th>Message</th></tr>*</table>",
        "<tr><td class=row1 width=150><span class=name><a name=$n></a><b>$author</b></span><br>"
        "<span class=postdetails>Joined: 14 Mar 2004<br>Posts: 204</span></td><td class=row1>"
        "<table><tr><td><span class=postdetails>Posted: $date</span></td>"
        "<td><a href='posting.php?mode=quote&p=$n'>Quote</a></td></tr><tr><td colspan=2>"
        "<span class=postbody>$text</span></td></tr></table></td></tr>",
    ),
    "phpbb-3": (
        "<div id=page-body>*</div>",
        "<div id=p$n class='post has-profile bg2'><div class=inner><dl class=postprofile>"
        "<dt><a class=username href='./memberlist.php?mode=viewprofile&u=$n'>$author</a></dt>"
        "<dd class=profile-posts><strong>Posts:</strong> <a href='./search.php?a=$n'>32</a></dd>"
        "<dd class=profile-joined><strong>Joined:</strong> Sun Mar 14, 2004 9:00 am</dd></dl>"
        "<div class=postbody><h3><a href='#p$n'>Re: Leaking kettle</a></h3><p class=author>"
        "<a href='./viewtopic.php?p=$n#p$n'>Post</a> by <strong><a class=username "
        "href='./memberlist.php?mode=viewprofile&u=$n'>$author</a></strong> &raquo; $date</p>"
        "<div class=content>$text</div><div class=signature>Boil on</div></div></div></div>",
    ),
    "smf": (
        "<div id=forumposts>*</div>",
        "<div class=windowbg id=msg$n><div class=post_wrapper><div class=poster><h4>"
        "<a href='index.php?action=profile;u=$n' title='View the profile'>$author</a></h4>"
        "<ul class=user_info><li class=postgroup>Newbie</li><li class=postcount>Posts: 14</li></ul>"
        "</div><div class=postarea><div class=keyinfo><h5><a href='index.php?topic=1.msg$n#msg$n'>"
        "Re: Leaking kettle</a></h5><div class=smalltext>&#171; <strong>Reply #$n on:</strong> "
        "$date &#187;</div></div><div class=post><div class=inner id=msg_$n>$text</div></div></div>"
        "<div class=moderatorbar><div class=signature>Boil on</div></div></div></div>",
    ),
    "mybb": (
        "<div id=posts>*</div>",
        "<div class='post classic' id=post_$n><div class='post_author scaleimages'>"
        "<div class=author_information><strong><span class=largetext><a href='member.php?uid=$n'>"
        "$author</a></span></strong><br><span class=smalltext>Junior Member</span></div>"
        "<div class=author_statistics>Posts: 5<br>Threads: 2<br>Joined: Mar 2004</div></div>"
        "<div class=post_content><div class=post_head><div class=float_right><strong>"
        "<a href='thread.php?pid=$n#pid$n'>#$n</a></strong></div><span class=post_date>$date"
        "</span></div><div class='post_body scaleimages' id=pid_$n>$text</div>"
        "<div class=post_meta></div></div><div class=post_controls><a href='reply'>Reply</a></div>"
        "</div>",
    ),
    "ipb-3": (
        "<div class=topic_container>*</div>",
        "<div class='post_block hentry' id=post_id_$n><div class=post_wrap><h3 class=row2>"
        "<span class=post_id><a href='/topic/1/?p=$n#entry$n'>#$n</a></span><span class='author "
        "vcard'><a class='url fn name' href='/user/$n-x/'><span itemprop=name>$author</span></a>"
        "</span></h3><div class=author_info><ul class='user_details'><li class=group_title>Members"
        "</li><li class=post_count>82 posts</li></ul></div><div class=post_body><p class=posted_info>"
        "Posted <abbr class=published title='$iso'>$date</abbr></p>"
        "<div class='post entry-content'>$text</div></div></div></div>",
    ),
    "ipb-4": (
        "<div id=elPostFeed><form>*</form></div>",
        "<article class='cPost ipsBox ipsComment' id=elComment_$n><aside class=cAuthorPane><h3 "
        "class=cAuthorPane_author><strong><a href='/profile/$n-x/'>$author</a></strong></h3>"
        "<ul><li>Members</li><li>82 posts</li></ul></aside><div class=ipsComment_content>"
        "<div class=ipsComment_meta><a href='/topic/1/?do=findComment&comment=$n'>Posted <time "
        "datetime='$iso'>$date</time></a></div><div class=cPost_contentWrap>"
        "<div data-role=commentContent class='ipsType_richText'>$text</div></div></div></article>",
    ),
    "xenforo-1": (
        "<ol class=messageList id=messageList>*</ol>",
        "<li id=post-$n class='message' data-author='$author'><div class=messageUserInfo>"
        "<div class=messageUserBlock><h3 class=userText><a href='members/x.$n/' class=username>"
        "$author</a><em class=userTitle>New Member</em></h3><dl><dt>Joined:</dt><dd>Mar 14, 2004"
        "</dd></dl></div></div><div class=messageInfo><div class=messageContent><article>"
        "<blockquote class=messageText>$text</blockquote></article></div><div class=messageMeta>"
        "<div class=privateControls><span class=authorEnd><a href='members/x.$n/' class=username>"
        "$author</a>,</span> <a href='threads/x.1/#post-$n' class=datePermalink><span class=DateTime>"
        "$date</span></a></div></div></div></li>",
    ),
    "xenforo-2": (
        "<div class='block-body js-replyNewMessageContainer'>*</div>",
        "<article class='message message--post' id=js-post-$n><div class=message-inner>"
        "<div class='message-cell message-cell--user'><section class=message-user><h4 class="
        "message-name><a href='/members/x.$n/' class=username>$author</a></h4><h5 class=userTitle>"
        "Well-known member</h5><dl class=pairs><dt>Joined</dt><dd>Mar 14, 2004</dd></dl></section>"
        "</div><div class='message-cell message-cell--main'><header class=message-attribution>"
        "<a href='/threads/x.1/post-$n'><time class=u-dt datetime='$iso'>$date</time></a></header>"
        "<div class=message-content><article class=message-body><div class=bbWrapper>$text</div>"
        "</article></div><footer class=message-footer><div class=reactionsBar>Reactions: "
        "<a href='/posts/$n/reactions'><bdi>Somebody</bdi> and others</a></div></footer></div></div>"
        "</article>",
    ),
    "discourse": (
        "<div id=main-outlet class=wrap>*</div>",
        "<div itemscope itemtype='http://schema.org/DiscussionForumPosting' class='topic-body "
        "crawler-post'><div class=crawler-post-meta><span class=creator itemprop=author itemscope "
        "itemtype='http://schema.org/Person'><a itemprop=url href='https://x.example/u/$n'><span "
        "itemprop=name>$author</span></a></span><span class=crawler-post-infos><time itemprop="
        "datePublished datetime='$iso' class=post-time>$date</time><span itemprop=position>$n</span>"
        "</span></div><div class=post itemprop=articleBody>$text</div><span class=post-likes>2 Likes"
        "</span></div>",
    ),
    "vanilla": (
        "<div class=MessageList>*</div>",
        "<li class='Item ItemComment' id=Comment_$n><div class=Comment><div class='Item-Header "
        "CommentHeader'><div class=AuthorWrap><span class=Author><a class=PhotoWrap title=x "
        "href='/profile/$n/x'></a><a class=Username href='/profile/$n/x'>$author</a></span></div>"
        "<div class='Meta CommentMeta'><span class='MItem DateCreated'><a class=Permalink "
        "href='/discussion/comment/$n#Comment_$n'><time title='$date' datetime='$iso'>$date</time>"
        "</a></span></div></div><div class=Item-BodyWrap><div class='Message userContent'>$text"
        "</div><div class='Signature UserSignature'>Boil on</div></div></div></li>",
    ),
    "bbpress": (
        "<ul class='forums bbp-replies'>*</ul>",
        "<li><div id=post-$n class=bbp-reply-header><div class=bbp-meta><span class="
        "bbp-reply-post-date>$date</span><a href='/topic/x/#post-$n' class=bbp-reply-permalink>#$n"
        "</a></div></div><div class='bbp-reply hentry'><div class=bbp-reply-author><a class="
        "bbp-author-link href='/users/x$n/'><span class=bbp-author-name>$author</span></a><div class="
        "bbp-author-role>Participant</div></div><div class=bbp-reply-content>$text</div></div></li>",
    ),
    "drupal": (
        "<div id=comments class=comment-wrapper>*</div>",
        "<div class='comment comment-by-viewer clearfix'><h3><a href='/comment/$n#comment-$n'>Again"
        "</a></h3><div class=submitted>Submitted by <span class=username>$author</span> on $date."
        "</div><div class=content><div class='field field-name-comment-body'>$text</div></div>"
        "<ul class='links inline'><li><a href='/comment/reply/1/$n'>reply</a></li></ul></div>",
    ),
    "rows-of-their-own": (
        "<table class=thread cellspacing=0>*</table>",
        "<tr class=head><td><b><a href='profil.php?id=$n'>$author</a></b></td><td>$date</td></tr>"
        "<tr class=body><td colspan=2>$text</td></tr>",
    ),
    "definitions": (
        "<dl class=answers-list>*</dl>",
        "<dt><a href='/user/$n'>$author</a> wrote on $date:</dt><dd>$text</dd>",
    ),
    "without-names": (
        "<div><div>*</div></div>",
        "<div><div><b>$author</b> says:<br><span><time datetime='$iso'>$date</time></span></div>"
        "<div>$text</div></div>",
    ),
}

POSTS = (
    ("Agnes Hill", "March 3, 2019", "2019-03-03", "My kettle has leaked since Tuesday and the "
     "kitchen floor is wet every morning, what can I do about that?"),
    ("tom_the_tinker", "March 4, 2019", "2019-03-04", "Look at the seal below the lid first, it "
     "wears out within a year or two and costs next to nothing."),
    ("Zoë", "March 5, 2019", "2019-03-05", "Thanks, it was the seal indeed."),
    ("Agnes Hill", "March 25, 2019", "2019-03-25", "A new one is in place and not a drop came out "
     "since, so I am very happy with the kettle again."),
)  # fmt: skip
"""Author, date as written, date, text."""


def page(system, posts=POSTS):
    """A thread of a system as a page."""
    around, post = MARKUPS[system]
    rows = [
        Template(post).substitute(n=n + 100, author=author, date=date, iso=iso, text=text)
        for n, (author, date, iso, text) in enumerate(posts)
    ]
    return FRAME.format(around.replace("*", "".join(rows))).encode()
